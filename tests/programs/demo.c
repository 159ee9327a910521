// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `./bootstrap demo` looks into: a program with three kinds of threads that share the
 * work of a small search engine. How much of the time each kind takes depends on the CPU, so
 * the program measures it and says it at its end, for a profile to be held against;
 * demo -n N repeats the work N times.
 *
 *	run_job
 *	 score -> score_documents -> dot_product
 *	 words -> count_words     -> hash_word, find_word
 *	 sort  -> rank_words      -> sort_numbers -> sift_down
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define DIMENSIONS 512
#define DOCUMENTS 1024
#define TEXT_BYTES (1 << 20)
#define SLOTS (1 << 15)
#define RANKED (1 << 16)

/* Compilers give functions that call nothing no frame; then whoever called them is not seen. */
#define KEEP_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

struct word {
	const char *at;
	uint32_t len;
	uint32_t hash;
	uint32_t count;
};

static int repeats = 60;
static float documents[DOCUMENTS][DIMENSIONS];
static char text[TEXT_BYTES];

/* Repeatable numbers: every run of the demo does the same work. */
static uint32_t next_number(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

__attribute__((noinline)) static float dot_product(const float *a, const float *b)
{
	float sum = 0;

	KEEP_FRAME();
	for (int i = 0; i < DIMENSIONS; i++)
		sum += a[i] * b[i];
	return sum;
}

__attribute__((noinline)) static uint64_t score_documents(uint32_t *state)
{
	const float *query = documents[next_number(state) % DOCUMENTS];
	uint64_t best = 0;
	float high = -1;

	for (int i = 0; i < DOCUMENTS; i++) {
		float score = dot_product(query, documents[i]);

		if (score > high) {
			high = score;
			best = i;
		}
	}
	return best;
}

static void score(uint64_t *result)
{
	uint32_t state = 1;

	for (int i = 0; i < repeats * 25; i++)
		*result += score_documents(&state);
}

__attribute__((noinline)) static uint32_t hash_word(const char *s, uint32_t len)
{
	uint32_t h = 2166136261u;

	KEEP_FRAME();
	for (uint32_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h;
}

__attribute__((noinline)) static struct word *find_word(struct word *table, const char *s,
							uint32_t len, uint32_t hash)
{
	uint32_t i = hash & (SLOTS - 1);

	KEEP_FRAME();
	while (table[i].at &&
	       (table[i].hash != hash || table[i].len != len || memcmp(table[i].at, s, len)))
		i = (i + 1) & (SLOTS - 1);
	return &table[i];
}

__attribute__((noinline)) static uint64_t count_words(struct word *table)
{
	uint64_t words = 0;
	uint32_t start = 0;

	memset(table, 0, SLOTS * sizeof(*table));
	for (uint32_t i = 0; i < TEXT_BYTES; i++) {
		uint32_t len = i - start;

		if (text[i] != ' ')
			continue;
		if (len) {
			uint32_t hash = hash_word(text + start, len);
			struct word *w = find_word(table, text + start, len, hash);

			*w = (struct word){ text + start, len, hash, w->count + 1 };
			words++;
		}
		start = i + 1;
	}
	return words;
}

static void words(uint64_t *result)
{
	struct word *table = calloc(SLOTS, sizeof(*table));

	for (int i = 0; table && i < repeats * 4; i++)
		*result += count_words(table);
	free(table);
}

/* Let v[i] sink to where no child of it is larger. */
__attribute__((noinline)) static void sift_down(uint32_t *v, uint32_t i, uint32_t nr)
{
	uint32_t value = v[i];
	uint32_t child;

	KEEP_FRAME();
	while ((child = 2 * i + 1) < nr) {
		if (child + 1 < nr && v[child + 1] > v[child])
			child++;
		if (v[child] <= value)
			break;
		v[i] = v[child];
		i = child;
	}
	v[i] = value;
}

__attribute__((noinline)) static void sort_numbers(uint32_t *v, uint32_t nr)
{
	for (uint32_t i = nr / 2; i-- > 0;)
		sift_down(v, i, nr);
	while (nr-- > 1) {
		uint32_t largest = v[0];

		v[0] = v[nr];
		v[nr] = largest;
		sift_down(v, 0, nr);
	}
}

__attribute__((noinline)) static uint64_t rank_words(uint32_t *v, uint32_t *state)
{
	for (int i = 0; i < RANKED; i++)
		v[i] = next_number(state);
	sort_numbers(v, RANKED);
	return v[RANKED / 2];
}

static void sort(uint64_t *result)
{
	uint32_t *v = malloc(RANKED * sizeof(*v));
	uint32_t state = 3;

	for (int i = 0; v && i < repeats * 3; i++)
		*result += rank_words(v, &state);
	free(v);
}

/* One thread: its work, the name it has, and what comes of it. */
struct job {
	const char *name;
	void (*work)(uint64_t *result);
	uint64_t result;
	double seconds; /* of CPU time */
};

static void *run_job(void *arg)
{
	struct job *job = arg;
	struct timespec used;

	prctl(PR_SET_NAME, job->name);
	job->work(&job->result);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	job->seconds = (double)used.tv_sec + (double)used.tv_nsec / 1e9;
	return NULL;
}

int main(int argc, char **argv)
{
	struct job jobs[] = {
		{ .name = "score", .work = score },
		{ .name = "score", .work = score },
		{ .name = "words", .work = words },
		{ .name = "sort", .work = sort },
	};
	const int nr = sizeof(jobs) / sizeof(*jobs);
	pthread_t threads[sizeof(jobs) / sizeof(*jobs)];
	uint64_t sum = 0;
	uint32_t state = 7;

	if (argc == 3 && !strcmp(argv[1], "-n"))
		repeats = (int)strtol(argv[2], NULL, 10);
	for (int i = 0; i < DOCUMENTS; i++)
		for (int j = 0; j < DIMENSIONS; j++)
			documents[i][j] = next_number(&state) % 1000 / 1000.0f;
	for (int i = 0; i < TEXT_BYTES; i++)
		text[i] = next_number(&state) % 6 ? 'a' + next_number(&state) % 8 : ' ';
	for (int i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, run_job, &jobs[i]))
			return 1;
	for (int i = 0; i < nr; i++) {
		pthread_join(threads[i], NULL);
		sum += jobs[i].result;
		printf("%s %.3f s\n", jobs[i].name, jobs[i].seconds);
	}
	printf("demo: result %llu\n", (unsigned long long)sum);
	return 0;
}
