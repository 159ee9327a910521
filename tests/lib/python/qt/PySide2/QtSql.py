# SPDX-License-Identifier: GPL-2.0-or-later
"""Databases of SQLite by the names that Qt's module has."""
import sqlite3


class QSqlError:
    def __init__(self, error=""):
        self.error = error

    def text(self):
        return str(self.error)


class QSqlDatabase:
    current = None

    @staticmethod
    def addDatabase(_kind, _name=None):
        QSqlDatabase.current = QSqlDatabase()
        return QSqlDatabase.current

    def setDatabaseName(self, name):
        self.name = name

    def open(self):
        self.connection = sqlite3.connect(self.name, isolation_level=None)
        return True

    def close(self):
        self.connection.close()

    def lastError(self):
        return QSqlError()


class QSqlQuery:
    def __init__(self, database=None):
        self.database = database or QSqlDatabase.current
        self.values, self.error = [], ""

    def prepare(self, statement):
        self.statement, self.values = statement, []
        return True

    def addBindValue(self, value):
        self.values.append(value)

    def exec_(self, statement=None):
        values, self.values = self.values, []
        try:
            self.rows = iter(self.database.connection.execute(statement or self.statement, values).fetchall())
        except sqlite3.Error as e:
            self.error = e
        return not self.error

    def next(self):
        self.row = next(self.rows, None)
        return self.row is not None

    def value(self, column):
        return self.row[column]

    def lastError(self):
        return QSqlError(self.error)
