/* SPDX-License-Identifier: MIT */
#include "mem/structure/types.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

#define DEPTH_MOST 32 /* types that refer to each other */
#define DIMENSIONS_MOST 16

static bool
type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) != NULL &&
		dwarf_formref_die(&attr, type) != NULL;
}

static bool
number_of(Dwarf_Die *die, unsigned attribute, int64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Sword number;
	Dwarf_Word word;
	bool is_signed;

	if (dwarf_attr_integrate(die, attribute, &attr) == NULL)
		return false;
	is_signed = dwarf_whatform(&attr) == DW_FORM_sdata ||
		dwarf_whatform(&attr) == DW_FORM_implicit_const;
	if (is_signed && dwarf_formsdata(&attr, &number) == 0) {
		*value = number;
		return true;
	}
	if (is_signed || dwarf_formudata(&attr, &word) != 0)
		return false;
	*value = (int64_t)word;
	return true;
}

/* Returns "[4]" for a dimension, "[]" if its size is unknown. Fortran counts
 * from 1 unless told otherwise, other languages from 0. */
static const char *
dimension(struct arena *a, Dwarf_Die *die)
{
	int64_t lo = 0, hi, n;
	Dwarf_Die unit;

	if (number_of(die, DW_AT_count, &n))
		return n >= 0 ? arena_printf(a, "[%" PRId64 "]", n) : "[]";
	if (!number_of(die, DW_AT_upper_bound, &hi))
		return "[]";
	if (!number_of(die, DW_AT_lower_bound, &lo) &&
		dwarf_diecu(die, &unit, NULL, NULL) != NULL) {
		Dwarf_Word standard = 0;

		if (dwarf_default_lower_bound(dwarf_srclang(&unit),
			    (Dwarf_Sword *)&standard) == 0)
			lo = (int64_t)standard;
	}
	if (hi < lo || hi - lo == INT64_MAX)
		return "[]";
	return arena_printf(a, "[%" PRId64 "]", hi - lo + 1);
}

static const char *
dimensions(struct arena *a, Dwarf_Die *array)
{
	const char *text = "";
	Dwarf_Die die;
	int n = 0;

	if (dwarf_child(array, &die) != 0)
		return "[]";
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subrange_type ||
			tag == DW_TAG_enumeration_type)
			text = arena_printf(
				a, "%s%s", text, dimension(a, &die));
	} while (++n < DIMENSIONS_MOST && dwarf_siblingof(&die, &die) == 0);
	return text;
}

/* Returns the keyword that C needs before a tag's name. */
static const char *
keyword(Dwarf_Die *die)
{
	Dwarf_Die unit;
	int language = dwarf_diecu(die, &unit, NULL, NULL) == NULL
		? 0
		: dwarf_srclang(&unit);

	if (language != DW_LANG_C && language != DW_LANG_C89 &&
		language != DW_LANG_C99 && language != DW_LANG_C11 &&
		dwarf_diename(die) != NULL)
		return "";
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

static const char *
put_blank(struct arena *a, const char *name, const char *around)
{
	return *around == '\0' ? name
			       : arena_printf(a, "%s%s%s", name,
					 *around == '[' ? "" : " ", around);
}

/* Returns what a type adds in front of the declarator: "*", "&". */
static const char *
prefix_of(int tag)
{
	switch (tag) {
	case DW_TAG_pointer_type:
		return "*";
	case DW_TAG_reference_type:
		return "&";
	case DW_TAG_rvalue_reference_type:
		return "&&";
	default:
		return NULL;
	}
}

/* Returns the word of a qualifier. */
static const char *
qualifier_of(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "_Atomic";
	default:
		return NULL;
	}
}

/* Returns true if a qualifier says what its type, an array of so qualified
 * elements, says as well. */
static bool
is_array(Dwarf_Die *qualifier)
{
	Dwarf_Die type;

	return type_of(qualifier, &type) &&
		dwarf_tag(&type) == DW_TAG_array_type;
}

/* Returns true if a qualifier's type is a pointer: "int *const". */
static bool
is_pointer(Dwarf_Die *qualifier)
{
	Dwarf_Die type;

	return type_of(qualifier, &type) && prefix_of(dwarf_tag(&type)) != NULL;
}

static const char *around(
	struct arena *a, Dwarf_Die *die, const char *declarator, int depth);

/* Returns a qualifier, such as const, and its type around a declarator. */
static const char *
qualified(struct arena *a, Dwarf_Die *qualifier, const char *declarator,
	int depth)
{
	const char *name = qualifier_of(dwarf_tag(qualifier));

	if (is_array(qualifier))
		return around(a, qualifier, declarator, depth + 1);
	if (is_pointer(qualifier))
		return around(a, qualifier,
			arena_printf(a, "%s%s%s", name,
				*declarator == '\0' ? "" : " ", declarator),
			depth + 1);
	return arena_printf(
		a, "%s %s", name, around(a, qualifier, declarator, depth + 1));
}

/* Returns the type of `die` as it is written around a declarator. */
static const char *
around(struct arena *a, Dwarf_Die *die, const char *declarator, int depth)
{
	const char *name, *prefix;
	Dwarf_Die type;
	bool is_of;
	int tag;

	if (!type_of(die, &type))
		return put_blank(a, "void", declarator);
	if (depth > DEPTH_MOST)
		return "...";
	tag = dwarf_tag(&type);
	prefix = prefix_of(tag);
	if (prefix != NULL)
		return around(a, &type,
			arena_printf(a, "%s%s", prefix, declarator), depth + 1);
	is_of = *declarator == '*' || *declarator == '&';
	if (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type)
		return around(a, &type,
			arena_printf(a, is_of ? "(%s)%s" : "%s%s", declarator,
				tag == DW_TAG_array_type ? dimensions(a, &type)
							 : "()"),
			depth + 1);
	if (qualifier_of(tag) != NULL)
		return qualified(a, &type, declarator, depth);
	name = dwarf_diename(&type);
	return put_blank(a,
		arena_printf(a, "%s%s", keyword(&type),
			name == NULL ? "{...}" : name),
		declarator);
}

const char *
type_name(struct arena *a, Dwarf_Die *variable)
{
	Dwarf_Die type;

	return type_of(variable, &type) ? around(a, variable, "", 0) : NULL;
}

uint64_t
type_size(Dwarf_Die *variable)
{
	Dwarf_Die type;
	Dwarf_Word size;

	if (!type_of(variable, &type) ||
		dwarf_aggregate_size(&type, &size) != 0)
		return 0;
	return size;
}
