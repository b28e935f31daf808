/* SPDX-License-Identifier: MIT */
#include "cli/mem/html.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/file.h"

#define ROOM (1 << 16)

static const char style[] =
	"body{font:14px/1.5 system-ui,sans-serif;margin:1.5em;max-width:100em;"
	"color-scheme:light dark}"
	"h1{font-size:1.4em}h2{font-size:1.15em;margin:1.5em 0 .3em}"
	"table{border-collapse:collapse}"
	"th,td{padding:.1em .7em;text-align:left;white-space:nowrap}"
	"th{border-bottom:1px solid;position:sticky;top:0;background:Canvas}"
	"td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
	"tbody tr:hover{background:color-mix(in srgb,Highlight 15%,Canvas)}"
	"th button,td button{all:unset;cursor:pointer}"
	"th button:focus-visible,td button:focus-visible{outline:2px solid}"
	"td button{display:inline-block;width:1.1em}"
	"input{font:inherit;margin:.3em 0;padding:.1em .4em}";

/* Sorts tables by a click on a title, filters rows by text, and folds the rows
 * of trees. In the beginning a tree is open along its hot path: as long as a
 * child has half of its parent. */
static const char script[] =
	"for(const t of document.querySelectorAll('table')){"
	"const b=t.tBodies[0],rows=[...b.rows],tree=t.dataset.tree;"
	"const f=document.createElement('input');f.type='search';"
	"f.placeholder='filter';"
	"f.setAttribute('aria-label','Show only rows with this text');"
	"t.before(f);"
	"const num=r=>parseFloat(r.cells[0].textContent)||0;"
	"const open=new Set(),kids=r=>{const i=rows.indexOf(r),k=[];"
	"for(let j=i+1;j<rows.length&&+rows[j].dataset.d>+r.dataset.d;j++)"
	"if(+rows[j].dataset.d===+r.dataset.d+1)k.push(rows[j]);return k};"
	"const show=()=>{const w=f.value.toLowerCase();let hide=Infinity;"
	"for(const r of rows){const d=+r.dataset.d;"
	"if(w){r.hidden=!r.textContent.toLowerCase().includes(w);continue}"
	"if(!tree){r.hidden=false;continue}"
	"if(d<=hide)hide=Infinity;r.hidden=d>hide;"
	"if(!r.hidden&&!open.has(r))hide=d}};"
	"f.oninput=show;"
	"if(tree){for(const[i,r]of rows.entries()){const "
	"c=r.querySelector('.t');"
	"if(i+1<rows.length&&+rows[i+1].dataset.d>+r.dataset.d){"
	"const x=document.createElement('button');"
	"const mark=()=>{const "
	"o=open.has(r);x.textContent=o?'\\u25be':'\\u25b8';"
	"x.setAttribute('aria-expanded',o)};"
	"x.setAttribute('aria-label','fold');"
	"x.onclick=()=>{open.has(r)?open.delete(r):open.add(r);mark();show()};"
	"r.mark=mark;c.prepend(x)}}"
	"for(let r of rows.filter(r=>r.dataset.d==='0'))while(r){open.add(r);"
	"const k=kids(r).sort((a,b)=>num(b)-num(a))[0];"
	"r=k&&num(k)*2>=num(r)?k:null}"
	"for(const r of rows)r.mark&&r.mark();show()}"
	"else for(const[i,h]of[...t.tHead.rows[0].cells].entries()){"
	"const x=document.createElement('button');x.textContent=h.textContent;"
	"h.textContent='';h.append(x);let up=false;"
	"x.onclick=()=>{up=!up;const key=r=>r.cells[i].textContent,"
	"n=h.className==='n';"
	"rows.sort((a,b)=>{const p=key(a),q=key(b);"
	"const c=n?(parseFloat(p)||0)-(parseFloat(q)||0):p.localeCompare(q);"
	"return up===n?-c:c});"
	"b.append(...rows)}}}";

/* Appends text that cannot end an element or an attribute. */
static void
put(struct mem_html *h, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '<')
			out_puts(&h->out, "&lt;");
		else if (c == '>')
			out_puts(&h->out, "&gt;");
		else if (c == '&')
			out_puts(&h->out, "&amp;");
		else if (c == '"')
			out_puts(&h->out, "&quot;");
		else
			out_put(&h->out, c < ' ' ? "?" : &text[i], 1);
	}
}

static void
element(struct mem_html *h, const char *tag, const char *text)
{
	out_puts(&h->out, "<");
	out_puts(&h->out, tag);
	out_puts(&h->out, ">");
	put(h, text, strlen(text));
	out_puts(&h->out, "</");
	out_puts(&h->out, tag);
	out_puts(&h->out, ">\n");
}

void
mem_html_begin(struct mem_html *h, const struct mem_report *r)
{
	out_open_memory(&h->out);
	out_puts(&h->out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
		"charset=\"utf-8\">\n<meta name=\"viewport\" "
		"content=\"width=device-width\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" "
		"content=\"default-src 'none'; style-src 'unsafe-inline'; "
		"script-src 'unsafe-inline'\">\n");
	element(h, "title", "Memory profile");
	out_puts(&h->out, "<style>");
	out_puts(&h->out, style);
	out_puts(&h->out, "</style></head><body>\n");
	element(h, "h1", "Memory profile");
	mem_summary_lines(r, mem_html_line, h);
}

void
mem_html_line(void *html, const char *text)
{
	element(html, "p", text);
}

static bool
is_number(const struct table_column *c)
{
	return c->kind == TABLE_NUMBER || c->kind == TABLE_SHARE;
}

static void
head(struct mem_html *h, const struct table *t)
{
	out_puts(&h->out, "<thead><tr>");
	for (int i = 0; i < t->n; i++) {
		const struct table_column *c = &t->column[i];

		if (c->is_hidden)
			continue;
		out_puts(&h->out,
			is_number(c) ? "<th scope=\"col\" class=\"n\">"
				     : "<th scope=\"col\">");
		put(h, c->title, strlen(c->title));
		out_puts(&h->out, "</th>");
	}
	out_puts(&h->out, "</tr></thead>\n");
}

/* Writes a cell. The name column of a tree is indented. */
static void
cell(struct mem_html *h, const struct table_column *c,
	const struct table_cell *text, int depth)
{
	char indent[64];

	if (is_number(c)) {
		out_puts(&h->out, "<td class=\"n\">");
	} else if (depth >= 0 && strcmp(c->name, "name") == 0) {
		snprintf(indent, sizeof indent,
			"<td class=\"t\" style=\"padding-left:%dem\">", depth);
		out_puts(&h->out, indent);
	} else {
		out_puts(&h->out, "<td>");
	}
	if (text->text != NULL)
		put(h, text->text, text->size);
	if (c->kind == TABLE_SHARE && text->text != NULL)
		out_puts(&h->out, " %");
	out_puts(&h->out, "</td>");
}

static void
row(struct mem_html *h, const struct table *t, int number)
{
	const struct table_cell *first =
		&t->cell.at[(size_t)number * (size_t)t->shown];
	int depth = number < h->depth.n ? h->depth.at[number] : -1;
	char text[40];

	snprintf(text, sizeof text, "<tr data-d=\"%d\">", depth);
	out_puts(&h->out, depth < 0 ? "<tr>" : text);
	for (int i = 0; i < t->n; i++)
		if (!t->column[i].is_hidden)
			cell(h, &t->column[i], &first[t->column[i].place],
				depth);
	out_puts(&h->out, "</tr>\n");
}

void
mem_html_table(struct mem_html *h, const struct table *t)
{
	if (h->title != NULL)
		element(h, "h2", h->title);
	if (table_rows(t) == 0) {
		element(h, "p", "(nothing)");
	} else {
		out_puts(&h->out,
			h->depth.n > 0 ? "<table data-tree=\"1\">" : "<table>");
		head(h, t);
		out_puts(&h->out, "<tbody>\n");
		for (int i = 0; i < table_rows(t); i++)
			row(h, t, i);
		out_puts(&h->out, "</tbody></table>\n");
	}
	h->title = NULL;
	h->depth.n = 0;
	h->tables++;
}

static bool
write_page(struct mem_html *h, const struct mem_report *r, const char *path,
	struct err *err)
{
	size_t n = (size_t)(h->out.at - h->out.buf);
	struct outfile file;

	if (path == NULL) {
		fwrite(h->out.buf, 1, n, stdout);
		return true; /* the command reports failures when it ends */
	}
	if (!outfile_open(&file, r->arena, path, ROOM, err)) {
		outfile_discard(&file);
		return false;
	}
	outfile_write(&file, h->out.buf, n);
	return outfile_close(&file, err);
}

bool
mem_html_end(struct mem_html *h, const struct mem_report *r, const char *path,
	struct err *err)
{
	bool is_written;

	if (r->said->note.n > 0)
		element(h, "h2", "What this report lacks, and how to get it");
	for (int i = 0; i < r->said->note.n; i++)
		element(h, "p", r->said->note.at[i]);
	out_puts(&h->out, "<script>");
	out_puts(&h->out, script);
	out_puts(&h->out, "</script></body></html>\n");
	is_written = write_page(h, r, path, err);
	mem_free(h->out.buf);
	return is_written;
}
