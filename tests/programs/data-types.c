// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program whose accesses to memory are known by construction. Offsets tell what is accessed:
 * those in s1 begin with 0x1, those in s2 with 0x2, and so on. The comment in front of a function
 * names the types that it accesses beside numbers and pointers in variables of its own.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct s2;
struct s3;
struct s1 {
	char pad[0x1000];
	long a;
	struct s1 *next;
	struct in1 {
		int x;
		char c[12];
	} in;
	struct s2 *two;
	long tail[4];
};
struct s2 {
	char pad[0x2000];
	union {
		long l;
		double d;
	};
	struct {
		short p, q;
	} pair;
	void *opaque;
	struct s3 *threes;
	long (*call)(struct s2 *);
	struct s1 *ones[4];
};
struct s3 {
	char pad[0x3000];
	unsigned char flag;
	unsigned int low : 5, high : 20;
	int numbers[8];
	struct in3 {
		char k[16];
		long v;
	} ins[4];
	char more[];
};
typedef struct {
	char pad[0x4000];
	long count;
	struct node {
		struct node *next, **back;
	} node;
} s4;
struct s1 g_s1;
struct s2 *volatile p_s2;
struct s3 a_s3[3];
static s4 g_s4;
int g_ints[64];
__thread struct s1 t_s1;
#define NOINLINE __attribute__((noinline, noclone))
#define container(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

/* s1 */
NOINLINE long walk(struct s1 *p)
{
	long n = 0;

	for (; p; p = p->next)
		n += p->a + p->in.x;
	return n;
}
/* s1 s2 s3 */
NOINLINE long deep(struct s1 *p, int i, int j)
{
	return p->two->threes[i].ins[j].v + p->two->threes->numbers[j] + p->next->next->two->pair.q;
}
/* s3 */
NOINLINE void fill(struct s3 *p, int n)
{
	for (int i = 0; i < n; i++, p++) {
		p->flag = 1;
		p->low = (unsigned int)i;
		p->numbers[i & 7] += i;
		p->ins[i & 3].v = i;
	}
}
NOINLINE struct s2 *give(void)
{
	return p_s2;
}
/* s1 s2 */
NOINLINE long returned(void)
{
	struct s2 *p = give();

	p->l++;
	return p->call ? p->call(p) + p->pair.p : p->ones[1]->a;
}
/* in1 s1 s2 s3 s4 */
NOINLINE long globals(int i)
{
	static struct in1 counted;

	counted.x++;
	g_s1.a += i;
	g_s1.in.c[3] = 1;
	g_s1.tail[2]--;
	a_s3[1].flag = 3;
	a_s3[i].numbers[2] = 5;
	g_s4.count++;
	g_ints[i] += g_ints[7];
	p_s2->pair.q = 1;
	return p_s2->l;
}
/* s1 */
NOINLINE long thread(void)
{
	t_s1.a++;
	return t_s1.in.x;
}
static inline long of_node(struct node *n)
{
	s4 *p = container(n, s4, node);

	return p->count++;
}
/* s4 node */
NOINLINE long contained(struct node *n)
{
	long sum = 0;

	for (; n; n = n->next)
		sum += of_node(n);
	return sum;
}
NOINLINE void sink(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}
/* s1 s2 s3 s4 node */
NOINLINE long spilled(struct s1 *a, struct s2 *b, struct s3 *c, s4 *d, struct s1 *e, struct s2 *f)
{
	struct s1 *g = a->next, *h = e->next;

	sink(a);
	sink(b);
	a->a = b->l + c->flag + d->count + e->a + f->l + g->a + h->a;
	sink(c);
	sink(d);
	return a->in.x + b->pair.p + c->numbers[1] + (long)d->node.next->back[0]->next->back[1];
}
/* in1 s1 */
NOINLINE long locals(int n)
{
	struct in1 one = { n, "abc" };
	int numbers[16] = { n };
	struct s1 *list[3] = { &g_s1, 0, 0 };

	sink(&one);
	sink(numbers);
	sink(list);
	one.x++;
	numbers[n & 15] += numbers[3];
	return one.x + one.c[2] + numbers[5] + list[n & 1]->a;
}
/* s1 s2 s3 */
NOINLINE long chosen(struct s1 *p, struct s2 *q, int n)
{
	switch (n) {
	case 0:
		return p->a;
	case 1:
		return q->l * 3;
	case 2:
		return p->in.x - q->pair.p;
	case 3:
		p->a = 7;
		return 1;
	case 4:
		return q->ones[n & 1]->in.x;
	case 5:
		return p->tail[n & 3];
	case 6:
		return q->threes->flag;
	case 7:
		sink(p);
		return p->two->l;
	}
	return 0;
}
/* s1 */
NOINLINE void copied(struct s1 *to, const struct s1 *from)
{
	to->in = from->in;
	to->tail[0] = from->tail[1];
	*to->next = *from;
}
/* s1 s2 */
NOINLINE long untyped(void *data, unsigned long raw)
{
	struct s1 *p = data;
	struct s2 *q = (struct s2 *)raw;

	return p->a + q->l;
}
/* char */
NOINLINE size_t text(const char *s, char *to)
{
	size_t n = 0;

	while ((to[n] = s[n]))
		n++;
	return n;
}
/* s1 */
NOINLINE long many(struct s1 **v, int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		if (v[i])
			sum += v[i]->a;
	return sum;
}
/* s1 */
NOINLINE long either(struct s1 *a, struct s1 *b, int n)
{
	struct s1 *p = n ? a : b->next;

	p->a++;
	while (n--)
		p = p->next ? p->next : a;
	return p->in.x;
}
/* Elements of arrays alone: what is added to the index may lead to in front of them. */
/* s1 s2 s3 */
NOINLINE long shifted(struct s1 *p, struct s2 *q, struct s3 *r, long i)
{
	for (long k = i; k < 4; k++)
		p->tail[k - 1] += r[i].numbers[k - 1] + r->ins[k - 1].v;
	return p->tail[i + 1] + r->numbers[i - 2] + (q->ones[i - 1] != 0);
}
int main(int argc, char **argv)
{
	sink(argv);
	return (int)walk(&g_s1) + argc;
}
