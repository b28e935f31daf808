/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
static const struct key window_keys[] = {
	{ "window_name", FORM_TEXT }, { "window_type", FORM_TYPE },
	{ "window_id", FORM_TEXT },
	{ "window_position_x", FORM_SHORT }, { "window_position_y", FORM_SHORT },
	{ "window_width", FORM_SHORT }, { "window_height", FORM_SHORT },
	{ "window_pixel_size", FORM_SHORT },
	{ "window_labels_to_draw", FORM_SHORT },
	{ "window_object_axis_position", FORM_SHORT },
	{ "window_comm_lines_enabled", FORM_BOOL },
	{ "window_flags_enabled", FORM_BOOL },
	{ "window_custom_color_enabled", FORM_BOOL },
	{ "window_open", FORM_BOOL },
	{ "window_semantic_scale_min_at_zero", FORM_BOOL },
	{ "window_logical_filtered", FORM_BOOL },
	{ "window_physical_filtered", FORM_BOOL },
	{ "window_intracomms_enabled", FORM_BOOL },
	{ "window_intercomms_enabled", FORM_BOOL },
	{ "window_comm_fromto", FORM_BOOL },
	{ "window_comm_tagsize", FORM_BOOL },
	{ "window_comm_typeval", FORM_BOOL },
	{ "window_noncolor_mode", FORM_BOOL },
	{ "window_color_mode", FORM_COLOR },
	{ "window_gradient_function", FORM_GRADIENT },
	{ "window_units", FORM_UNITS },
	{ "window_maximum_y", FORM_REAL }, { "window_minimum_y", FORM_REAL },
	{ "window_compute_y_max", FORM_ANY_BOOL },
	{ "window_level", FORM_LEVEL },
	{ "window_scale_relative", FORM_SHARE },
	{ "window_end_time_relative", FORM_SHARE },
	{ "window_begin_time_relative", FORM_SHARE },
	{ "window_begin_time", FORM_REAL }, { "window_stop_time", FORM_REAL },
	{ "window_object", FORM_OBJECT },
	{ "window_drawmode", FORM_DRAW }, { "window_drawmode_rows", FORM_DRAW },
	{ "window_synchronize", FORM_GROUP },
	{ "window_punctual_color_window", FORM_EARLIER },
	{ "window_custom_color_palette", FORM_PALETTE },
	{ "window_selected_functions", FORM_SELECTED },
	{ "window_compose_functions", FORM_COMPOSE },
	{ "window_semantic_module", FORM_MODULE },
	{ "window_filter_module", FORM_FILTER },
	{ "window_operation", FORM_OPERATION },
	{ "window_identifiers", FORM_IDENTIFIERS },
	{ "window_factors", FORM_TWO_REALS },
	{ "window_shifts", FORM_TWO_INTEGERS },
	{ NULL, FORM_TEXT },
};

static const struct key histogram_keys[] = {
	{ "Analyzer2D.Name", FORM_TEXT },
	{ "Analyzer2D.X", FORM_SHORT }, { "Analyzer2D.Y", FORM_SHORT },
	{ "Analyzer2D.Width", FORM_SHORT }, { "Analyzer2D.Height", FORM_SHORT },
	{ "Analyzer2D.PixelSize", FORM_SHORT },
	{ "Analyzer2D.ControlWindow", FORM_WINDOW },
	{ "Analyzer2D.DataWindow", FORM_WINDOW },
	{ "Analyzer2D.3D_ControlWindow", FORM_WINDOW },
	{ "Analyzer2D.Statistic", FORM_STATISTIC },
	{ "Analyzer2D.AnalysisLimits", FORM_LIMITS },
	{ "Analyzer2D.Minimum", FORM_REAL }, { "Analyzer2D.Maximum", FORM_REAL },
	{ "Analyzer2D.Delta", FORM_REAL },
	{ "Analyzer2D.3D_Minimum", FORM_REAL },
	{ "Analyzer2D.3D_Maximum", FORM_REAL },
	{ "Analyzer2D.3D_Delta", FORM_REAL },
	{ "Analyzer2D.3D_FixedValue", FORM_REAL },
	{ "Analyzer2D.ComputeYScale", FORM_TITLE_BOOL },
	{ "Analyzer3D.ComputeYScale", FORM_TITLE_BOOL },
	{ "Analyzer2D.UseFixedDelta", FORM_TITLE_BOOL },
	{ "Analyzer2D.NumColumns", FORM_SHORT },
	{ "Analyzer2D.HideCols", FORM_TITLE_BOOL },
	{ "Analyzer2D.ShowOnlyTotals", FORM_TITLE_BOOL },
	{ "Analyzer2D.ShortHeaderLabels", FORM_TITLE_BOOL },
	{ "Analyzer2D.SortCols", FORM_TITLE_BOOL },
	{ "Analyzer2D.SortReverse", FORM_TITLE_BOOL },
	{ "Analyzer2D.SortCriteria", FORM_SORT },
	{ "Analyzer2D.HorizVert", FORM_SIDE },
	{ "Analyzer2D.ColorMode", FORM_COLOR },
	{ "Analyzer2D.ComputeGradient", FORM_TITLE_BOOL },
	{ "Analyzer2D.MinimumGradient", FORM_REAL },
	{ "Analyzer2D.MaximumGradient", FORM_REAL },
	{ "Analyzer2D.DrawModeObjects", FORM_DRAW },
	{ "Analyzer2D.DrawModeColumns", FORM_DRAW },
	{ "Analyzer2D.Zoom", FORM_ZOOM },
	{ "Analyzer2D.Objects", FORM_LIST },
	{ "Analyzer2D.Parameters", FORM_LIST },
	{ "Analyzer2D.Synchronize", FORM_GROUP },
	{ NULL, FORM_TEXT },
};

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

static const char *const levels[] = { "workload", "appl", "task", "thread",
	"system", "node", "cpu", NULL };

static const char *const filters[] = { "from_obj", "to_obj", "tag_msg",
	"size_msg", "bw_msg", "evt_type", "evt_value", NULL };

static const char *const filter_functions[] = { "All", "!=", ">", "<", "=",
	"None", "[x,y]", NULL };

static const char *const thread_functions[] = {
	"State As Is", "Useful", "State Sign", "Given State", "In State",
	"Not In State", "State Record Dur.", "Last Evt Type", "Last Evt Val",
	"Last Evt Val w/o Bursts", "Next Evt Type", "Next Evt Val",
	"Avg Next Evt Val", "Avg Last Evt Val", "Given Evt Val", "In Evt Val",
	"Int. Between Evt", "Not In Evt Val", "In Evt Range", "Event Bytes",
	"Event Sent Bytes", "Last Tag", "Comm Size", "Comm Recv. Partner",
	"Comm Partner", "Last Send Dur.", "Next Recv Dur.", "Last Send Size",
	"Send Bytes in Transit", "Send Messages in Transit", "Send BandWidth",
	"Recv Bytes in Transit", "Recv Messages in Transit", "Recv BandWidth",
	"Recv Negative Messages", "Recv Negative Bytes", "Number Of Sends",
	"Number Of Send Bytes", "Number Of Receives",
	"Number Of Receive Bytes", "Application ID", "TaskID", "Thread ID",
	"Node ID", "Cpu ID", "In Appl ID", "In Task ID", "In Thread ID",
	"In Node ID", "In Cpu ID", NULL };

static const char *const cpu_functions[] = { "Active Thd", "Active Thd Sign",
	"Active Thd Val", "Active Thd Val Sign", NULL };

static const char *const sum_functions[] = { "Adding", "AddingSign", "Average",
	"Maximum", "Minimum", "Activity", "In Activity", "Mode", "Thread i",
	"Add Tasks", "Changed value", NULL };

static const char *const compose_levels[] = { "compose_cpu", "compose_appl",
	"compose_task", "compose_thread", "compose_node", "compose_system",
	"compose_workload", "topcompose1", "topcompose2", "extratopcompose1",
	NULL };

static const char *const compose_functions[] = { "As Is", "Sign", "1-Sign",
	"Mod", "Mod+1", "Div", "Prod", "Add", "Subs", "Complement",
	"Inverse Div", "Select Range", "Select Range [)", "Is In Range",
	"Is In Range [)", "Is Equal", "Is Equal (Sign)", "Floor", "Ceil",
	"Round", "Abs", "Stacked Val", "In Stacked Val", "Nesting level",
	"LRU Depth", "Enumerate", "Accumulate", "Delta", "Burst Time",
	"Divide by Burst Time", "Join Bursts", "Timer", "Begin Time",
	"End Time", "Translate", "sin", "cos", "sqrt (abs)", "arc tan",
	"log N", "exp", NULL };

static const char *const operations[] = { "add", "product", "substract",
	"divide", "maximum", "minimum", "different", "controlled: clear by",
	"controlled: maximum", "controlled: add", "controlled: enumerate",
	"controlled: average", NULL };

static const char *const *const words_of[] = {
	[FORM_TYPE] = WORDS("single", "composed"),
	[FORM_ANY_BOOL] = WORDS("true", "false", ""),
	[FORM_BOOL] = WORDS("true", "false"),
	[FORM_COLOR] = WORDS("window_in_code_mode", "window_in_gradient_mode",
		"window_in_null_gradient_mode",
		"window_in_alternative_gradient_mode",
		"window_in_punctual_mode", "window_in_fused_lines_mode"),
	[FORM_GRADIENT] = WORDS("gradient_function_linear",
		"gradient_function_steps", "gradient_function_log",
		"gradient_function_exp"),
	[FORM_UNITS] = WORDS("Nanoseconds", "Microseconds", "Milliseconds",
		"Seconds", "Minutes", "Hours", "Days"),
	[FORM_LEVEL] = levels,
	[FORM_DRAW] = WORDS("draw_last", "draw_maximum", "draw_minnotzero",
		"draw_random", "draw_randnotzero", "draw_average",
		"draw_averagenotzero", "draw_mode", "draw_absolute_maximum",
		"draw_absolute_minimum", "0", "1", "2", "3", "4", "5", "6",
		"7"),
	[FORM_OPERATION] = operations,
	[FORM_STATISTIC] = WORDS("Time", "% Time", "% Time Not Zero",
		"% Window Time", "# Bursts", "% # Bursts", "# Bursts != 0",
		"Integral", "Average value", "Average value != 0", "Maximum",
		"Minimum", "Average Burst Time", "Stdev Burst Time",
		"Average per Burst", "Average per Burst != 0", "Sum bursts",
		"#Sends", "#Receives", "Bytes sent", "Average bytes sent",
		"Minimum bytes sent", "Maximum bytes sent", "Bytes received",
		"Average bytes received", "Minimum bytes received",
		"Maximum bytes received"),
	[FORM_LIMITS] = WORDS("Alltrace", "Allwindow"),
	[FORM_TITLE_BOOL] = WORDS("True", "False"),
	[FORM_SORT] = WORDS("Average", "Total", "Maximum", "Minimum", "Stdev",
		"Avg/Max", "Custom"),
	[FORM_SIDE] = WORDS("Horizontal", "Vertical"),
	[FORM_ZOOM] = WORDS("Enabled", "Disabled"),
	[FORM_LIST] = NULL,
};
/* clang-format on */

static bool
is_in(const char *const *list, const char *word)
{
	for (; *list != NULL; list++)
		if (strcmp(*list, word) == 0)
			return true;
	return false;
}

static const struct key *
find(const struct key *key, const char *name)
{
	for (; key->name != NULL; key++)
		if (strcmp(key->name, name) == 0)
			return key;
	return NULL;
}

const struct key *
key_of_window(const char *name)
{
	return find(window_keys, name);
}

const struct key *
key_of_histogram(const char *name)
{
	return find(histogram_keys, name);
}

bool
name_is_level(const char *word)
{
	return is_in(levels, word);
}

bool
name_is_machine(const char *word)
{
	return strcmp(word, "system") == 0 || strcmp(word, "node") == 0 ||
		strcmp(word, "cpu") == 0;
}

bool
name_is_filter(const char *word)
{
	return is_in(filters, word);
}

bool
name_is_filter_function(const char *word)
{
	return is_in(filter_functions, word);
}

bool
name_is_compose(const char *word)
{
	return is_in(compose_levels, word);
}

bool
name_is_compose_function(const char *word)
{
	return is_in(compose_functions, word);
}

bool
name_is_function(const char *level, const char *word)
{
	if (strcmp(level, "thread") == 0)
		return is_in(thread_functions, word);
	if (strcmp(level, "cpu") == 0)
		return is_in(cpu_functions, word);
	return is_in(sum_functions, word);
}

bool
name_is_operation(const char *word)
{
	return is_in(operations, word);
}

bool
name_fits(enum form form, const char *word)
{
	return words_of[form] == NULL || is_in(words_of[form], word);
}
