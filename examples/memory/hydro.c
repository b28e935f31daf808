/* SPDX-License-Identifier: MIT */
/*
 * hydro.c - a gas that expands, on an unstructured mesh of hexahedra: the loops
 * and the data of codes like LULESH.
 *
 *	weft mem link -- gcc -g -O2 -static -fopenmp hydro.c -lm -o hydro
 *	weft run -e datacentric ./hydro
 *
 * Elements are numbered at random, so that their eight nodes are gathered from
 * all over memory, into local arrays. The report shows which of the arrays a
 * renumbering would help: those with an index from node_of or corner_of.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/mem.h>

enum { CORNERS = 8, DIMENSIONS = 3 };

struct mesh {
	int side, elements, nodes;
	int *node_of;   /* nodes of each element */
	int *corner_of; /* corners of elements at each node; -1: none */
	double *at[DIMENSIONS], *speed[DIMENSIONS], *force[DIMENSIONS];
	double *mass, *volume, *energy, *pressure;
};

static void *
array(size_t n, size_t bytes, const char *name)
{
	void *p = calloc(n, bytes);

	if (p == NULL)
		abort();
	weft_mem_name(p, name);
	return p;
}

static int
node_number(const struct mesh *m, int x, int y, int z)
{
	return (z * (m->side + 1) + y) * (m->side + 1) + x;
}

static void
shuffle(int *list, int n)
{
	uint64_t seed = 1;

	for (int i = n - 1; i > 0; i--) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		int j = (int)((seed >> 33) % (uint64_t)(i + 1));
		int was = list[i];

		list[i] = list[j];
		list[j] = was;
	}
}

static void
connect(struct mesh *m)
{
	int *order = malloc((size_t)m->elements * sizeof *order), s = m->side;

	if (order == NULL)
		abort();
	for (int i = 0; i < m->elements; i++)
		order[i] = i;
	shuffle(order, m->elements);
	for (int i = 0; i < m->nodes * CORNERS; i++)
		m->corner_of[i] = -1;
	for (int i = 0; i < m->elements; i++)
		for (int c = 0; c < CORNERS; c++) {
			int where = order[i];
			int x = where % s + (c & 1);
			int y = where / s % s + (c >> 1 & 1);
			int z = where / s / s + (c >> 2);
			int node = node_number(m, x, y, z);

			m->node_of[i * CORNERS + c] = node;
			m->corner_of[node * CORNERS + (c ^ 7)] =
				i * CORNERS + c;
			m->mass[node] += 1.0 / CORNERS;
			m->at[0][node] = x;
			m->at[1][node] = y;
			m->at[2][node] = z;
		}
	free(order);
}

static void
make(struct mesh *m, int side)
{
	static const char *const names[][DIMENSIONS] = { { "x", "y", "z" },
		{ "x_speed", "y_speed", "z_speed" },
		{ "x_force", "y_force", "z_force" } };
	size_t nodes, elements;

	m->side = side;
	m->elements = side * side * side;
	m->nodes = (side + 1) * (side + 1) * (side + 1);
	nodes = (size_t)m->nodes;
	elements = (size_t)m->elements;
	m->node_of = array(elements * CORNERS, sizeof(int), "node_of");
	m->corner_of = array(nodes * CORNERS, sizeof(int), "corner_of");
	m->mass = array(nodes, sizeof(double), "mass");
	m->volume = array(elements, sizeof(double), "volume");
	m->energy = array(elements, sizeof(double), "energy");
	m->pressure = array(elements, sizeof(double), "pressure");
	for (int d = 0; d < DIMENSIONS; d++) {
		m->at[d] = array(nodes, sizeof(double), names[0][d]);
		m->speed[d] = array(nodes, sizeof(double), names[1][d]);
		m->force[d] =
			array(elements * CORNERS, sizeof(double), names[2][d]);
	}
	connect(m);
	for (int i = 0; i < m->elements; i++) {
		m->volume[i] = 1;
		m->energy[i] = m->node_of[i * CORNERS] == 0 ? 1000 : 1;
	}
}

/* The area of the face that is normal to a dimension, with its direction. */
static void
face(double local[DIMENSIONS][CORNERS], int d, double normal[DIMENSIONS])
{
	int u = 1 << (d + 1) % 3, v = 1 << (d + 2) % 3;
	double a[DIMENSIONS], b[DIMENSIONS];

	for (int i = 0; i < DIMENSIONS; i++) {
		a[i] = local[i][u | v] - local[i][0];
		b[i] = local[i][v] - local[i][u];
	}
	for (int i = 0; i < DIMENSIONS; i++)
		normal[i] = (a[(i + 1) % 3] * b[(i + 2) % 3] -
				    a[(i + 2) % 3] * b[(i + 1) % 3]) /
			2;
}

static __attribute__((noinline)) void
push_corners(struct mesh *m)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < m->elements; i++) {
		double local[DIMENSIONS][CORNERS], normal[DIMENSIONS], sum = 0;
		const int *node = &m->node_of[i * CORNERS];

		for (int d = 0; d < DIMENSIONS; d++)
			for (int c = 0; c < CORNERS; c++)
				local[d][c] = m->at[d][node[c]];
		for (int d = 0; d < DIMENSIONS; d++) {
			face(local, d, normal);
			for (int c = 0; c < CORNERS; c++) {
				double sign = c >> d & 1 ? 1 : -1;

				m->force[d][i * CORNERS + c] = sign / 4 *
					m->pressure[i] * fabs(normal[d]);
			}
			sum += local[d][7] - local[d][0];
		}
		m->volume[i] = sum / 3 * (sum / 3) * (sum / 3);
	}
}

static __attribute__((noinline)) void
move_nodes(struct mesh *m, double dt)
{
#pragma omp parallel for schedule(static)
	for (int n = 0; n < m->nodes; n++)
		for (int d = 0; d < DIMENSIONS; d++) {
			double force = 0;

			for (int c = 0; c < CORNERS; c++) {
				int corner = m->corner_of[n * CORNERS + c];

				if (corner >= 0)
					force += m->force[d][corner];
			}
			m->speed[d][n] += force / m->mass[n] * dt;
			m->at[d][n] += m->speed[d][n] * dt;
		}
}

static __attribute__((noinline)) void
update_elements(struct mesh *m)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < m->elements; i++)
		m->pressure[i] = 0.4 * m->energy[i] / fmax(m->volume[i], 0.1);
}

int
main(int argc, char *argv[])
{
	static struct mesh mesh;
	double sum = 0;

	make(&mesh, argc > 1 ? atoi(argv[1]) : 60);
	for (int step = 0; step < (argc > 2 ? atoi(argv[2]) : 40); step++) {
		update_elements(&mesh);
		push_corners(&mesh);
		move_nodes(&mesh, 1e-4);
	}
	for (int i = 0; i < mesh.elements; i++)
		sum += mesh.volume[i];
	printf("%d elements, volume %.3f\n", mesh.elements, sum);
	return 0;
}
