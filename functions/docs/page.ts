import {
  type ApiDocument,
  type ApiResponse,
  nameOf,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
} from "./document.ts";
import { curlOf } from "./example.ts";
import { type Html, html, prose, verbatim } from "./html.ts";
import { notesOf, requiredMark, schemaTable, typeOf } from "./schema-table.ts";

type Components = ApiDocument["components"];

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

/** The whole reference as one self-contained page whose script is optional. */
export function renderPage(document: ApiDocument, { style, script }: { style: string; script: string }): string {
  const { info, components } = document;
  const groups = groupEntries(document);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav aria-label="Operations">${navigation(groups)}</nav>
<main id="content">
<header><h1>${info.title} <small>${info.version}</small></h1>
${prose(info.description)}
<p>The examples want two variables: <code>URL</code>, such as <code id="origin">http://localhost:3000</code>, and <code>API_KEY</code>.
The same as a document: <a href="/openapi.json">openapi.json</a>.</p></header>
${groups.map(([tag, entries]) => groupSection(tag, entries, components))}
${schemaSection(components)}
</main>
<script>${verbatim(script)}</script>
</body>
</html>
`.toString();
}

function groupEntries({ tags, paths }: ApiDocument): [string, Entry[]][] {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map(({ name }) => [name, entries.filter(({ operation }) => operation.tags.includes(name))]);
}

function navigation(groups: [string, Entry[]][]): Html {
  return html`<details open><summary>Operations</summary>
<label class="filter">Filter <input type="search" id="filter" autocomplete="off" placeholder="path or words"></label>
${groups.map(
  ([tag, entries]) =>
    html`<section><h2><a href="#group-${tag}">${tag}</a></h2><ul>${entries.map(
      ({ method, path, operation }) =>
        html`<li><a href="#${operation.operationId}" title="${operation.summary}">${methodMark(method)}<span>${path}</span></a></li>`,
    )}</ul></section>`,
)}
<section><h2><a href="#schemas">schemas</a></h2></section></details>`;
}

function methodMark(method: string): Html {
  return html`<b class="method ${method}">${method.toUpperCase()}</b>`;
}

function groupSection(tag: string, entries: Entry[], components: Components): Html {
  return html`<section class="group"><h2 id="group-${tag}">${tag}</h2>
${entries.map((entry) => operationArticle(entry, components))}</section>`;
}

function operationArticle({ method, path, operation }: Entry, components: Components): Html {
  const { operationId, summary, description } = operation;
  return html`<details class="operation" id="${operationId}">
<summary><h3>${methodMark(method)} <code>${path}</code></h3> <span class="what">${summary}</span> ${permissionMark(operation)}</summary>
<div class="body">${prose(description)}
${parameterTable(operation, components)}
${bodyPart(operation, components)}
${successPart(operation, components)}
${errorPart(operation, components)}
<h4>Example</h4><pre tabindex="0">${curlOf(method, path, operation, components)}</pre></div></details>`;
}

function permissionMark(operation: Operation): Html {
  const permission = operation["x-permission"];
  if (permission === undefined) return html`<span class="permission">public</span>`;
  return html`<span class="permission">${permission === "any" ? "any credential" : permission}</span>`;
}

function parameterTable({ parameters = [] }: Operation, components: Components): Html | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((each) => resolve<Parameter>(each, components.parameters));
  return html`<h4>Parameters</h4><div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows.map(
    (each) => html`<tr><td><code>${each.name}</code>${requiredMark(each.required === true)}</td><td>${each.in}</td>
<td>${typeOf(each.schema)}</td><td>${each.description} ${notesOf(each.schema)}</td></tr>`,
  )}</tbody></table></div>`;
}

function bodyPart({ requestBody }: Operation, components: Components): Html | undefined {
  if (!requestBody) return undefined;
  const mark = requestBody.required ? undefined : html` <small>optional</small>`;
  return html`<h4>Body${mark}</h4>${contentPart(requestBody.content, components)}`;
}

function contentPart(content: ApiResponse["content"], { schemas }: Components): Html[] {
  return Object.entries(content ?? {}).map(([type, { schema }]) => {
    if (schema === undefined) return html`<p><code>${type}</code></p>`;
    const inside = withoutEnvelope(schema);
    const what = inside === schema ? undefined : html`<code>data</code>: `;
    const name = inside.$ref ? typeOf(inside) : undefined;
    const caption = what || name ? html`<p>${what}${name}</p>` : undefined;
    return html`${caption}${schemaTable(resolve<Schema>(inside, schemas))}`;
  });
}

/** A response's data; the envelope is described once at the top of the page. */
function withoutEnvelope(schema: Schema): Schema {
  const { success, data } = schema.properties ?? {};
  return success && data ? data : schema;
}

function successPart({ responses }: Operation, components: Components): Html[] {
  return resolvedResponses(responses, components)
    .filter(([status]) => status.startsWith("2"))
    .map(
      ([status, { headers = {}, content }]) =>
        html`<h4>Answer <code>${status}</code></h4>${contentPart(content, components)}${headerList(headers, components)}`,
    );
}

function headerList(headers: NonNullable<ApiResponse["headers"]>, components: Components): Html {
  const items = Object.entries(headers).map(([name, { $ref }]) => {
    const header = components.headers[nameOf($ref)];
    return html`<li><code>${name}</code> ${header?.description}</li>`;
  });
  return html`<details class="headers"><summary>Headers</summary><ul>${items}</ul></details>`;
}

function errorPart({ responses }: Operation, components: Components): Html {
  const errors = resolvedResponses(responses, components).filter(([status]) => !status.startsWith("2"));
  return html`<h4>Errors</h4><ul class="errors">${errors.map(
    ([status, { description }]) => html`<li><b>${status}</b> ${description.replaceAll("`", "")}</li>`,
  )}</ul>`;
}

function resolvedResponses(responses: Operation["responses"], components: Components): [string, ApiResponse][] {
  return Object.entries(responses).map(([status, response]) => [
    status,
    resolve<ApiResponse>(response, components.responses),
  ]);
}

function schemaSection({ schemas }: Components): Html {
  return html`<section class="group"><h2 id="schemas">schemas</h2>
${Object.entries(schemas).map(
  ([
    name,
    schema,
  ]) => html`<details class="operation" id="schema-${name}"><summary><h3><code>${name}</code></h3></summary>
<div class="body">${schema.description ? html`<p>${schema.description}</p>` : undefined}${schemaTable(schema)}</div></details>`,
)}</section>`;
}
