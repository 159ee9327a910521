// SPDX-License-Identifier: GPL-2.0-or-later
/* work: it computes until it is killed. One of its functions has three times
 * the work of the other. */
static volatile unsigned long sum;

static void often(void)
{
	for (int i = 0; i < 3000000; i++)
		sum += i;
}

static void seldom(void)
{
	for (int i = 0; i < 1000000; i++)
		sum -= i;
}

int main(void)
{
	for (;;) {
		often();
		seldom();
	}
}
