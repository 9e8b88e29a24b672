// Decides whether a module of the repository only re-exports the code of another module.

import type { FileEdit } from '../../../model.ts';
import { listPythonLines } from '../python/pythonStatements.ts';
import { isSameModule, normaliseModule, WHOLE_MODULE } from './modules.ts';
import { readPythonFile } from './pythonFrame.ts';
import { createMemberOrigin, type Origin } from './testFrame.ts';

/** The origin that was imported, and the origin that is imported now. */
interface Passing {
  readonly origin: Origin;
  /** The path of the file that imported it. */
  readonly from: string;
  readonly now: Origin;
}

/** True if `now`, an export of the file that `target` edits, is the same as `origin`. */
export function isReexport(target: FileEdit | undefined, { origin, from, now }: Passing): boolean {
  if (!target || target.after === null) return false;
  const sources = target.path.endsWith('.py')
    ? findPythonSource(target.after, now)
    : findScriptSources(target.after, now);
  return sources.some(
    ({ module, name }) => isSameModule(module, target.path, origin.module, from) && isSameName(name, origin.name),
  );
}

function isSameName(first: string, second: string): boolean {
  return first === second || (WHOLE_MODULE.test(first) && WHOLE_MODULE.test(second));
}

/** The last import that binds the name, unless the file declares the name itself. */
function findPythonSource(text: string, now: Origin): readonly Origin[] {
  const { parts } = readPythonFile(text).frame;
  const declared = parts.filter(({ names, scope }) => scope === '' && names.includes(now.name));
  const isAssigned = listPythonLines(text).some(({ code }) => code.startsWith(`${now.name} =`));
  const origins = declared.flatMap(({ origin }) => origin ?? []);
  const passedOn =
    declared.length === 0 ? parts.flatMap(({ names, origin }) => (origin && names[0] === '*' ? [origin] : [])) : [];
  if (isAssigned || origins.length < declared.length) return [];
  return [...origins, ...passedOn.map(({ module }) => ({ module, name: now.name }))];
}

/** Matches a name of a script, or a module that it loads, with members. */
const VALUE_SOURCE = String.raw`(?:\(?\s*(?:await\s+)?(?:require|import)\(\s*['"][^'"]+['"]\s*\)\s*\)?|[\w$]+)(?:\.[\w$]+)*`;
const IMPORT_PATTERN = /\bimport\s{1,20}(?!type\b)([^'"();=]{1,500}?)\bfrom\s{0,20}['"]([^'"\n]{1,300})['"]/g;
const VARIABLE_PATTERN = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+|\{[^}=]*\})\s*=\s*(${VALUE_SOURCE})\s*(?=[;\n,]|$)`,
  'g',
);
const EXPORTED_PATTERN = /\bexport\s*(?:\*(?!\s*as)|\{([^}]*)\})\s*(?:from\s*['"]([^'"]+)['"])?/g;
const DEFAULT_PATTERN = /\bexport\s+default\s+(.+?)\s*(?:;|\n|$)/;
const WHOLE_PATTERN = /\bmodule\.exports\s*=\s*(\{[^}]*\}|.+?)\s*(?:;|\n|$)/;

/** The possible origins of the exported name: exports with `*` re-export any name that the file does not declare. */
function findScriptSources(text: string, now: Origin): readonly Origin[] {
  const bindings = readBindings(text);
  const name = now.name === '*' ? 'default' : now.name;
  const wildcards: Origin[] = [];
  for (const [, exportedList, specifier] of text.matchAll(EXPORTED_PATTERN)) {
    const module = specifier === undefined ? null : normaliseModule(specifier);
    if (exportedList === undefined) {
      if (module !== null) wildcards.push({ module, name: now.name });
      continue;
    }
    const item = readNames(exportedList, ' as ').find(({ to }) => to === name);
    if (item) return module === null ? toList(bindings.get(item.from)) : [{ module, name: item.from }];
  }
  const member = new RegExp(String.raw`\bexports\.${escape(name)}\s*=\s*(.+?)\s*(?:;|\n|$)`).exec(text)?.[1];
  if (member !== undefined) return toList(findSource(member, bindings));
  const moduleExports = WHOLE_PATTERN.exec(text)?.[1];
  if (moduleExports !== undefined) return listSourcesOfWhole(moduleExports, name, bindings);
  if (name === 'default') return toList(findSource(DEFAULT_PATTERN.exec(text)?.[1] ?? '', bindings));
  const isDeclaredHere = new RegExp(String.raw`\b(?:const|let|var|class|function\*?)\s+${escape(name)}(?![\w$])`).test(
    text,
  );
  return isDeclaredHere ? toList(bindings.get(name)) : wildcards;
}

/** The origins of the name if `module.exports` is this value. */
function listSourcesOfWhole(value: string, name: string, bindings: ReadonlyMap<string, Origin>): readonly Origin[] {
  if (!value.startsWith('{')) {
    const origin = findSource(value, bindings);
    return toList(origin && (name === 'default' ? origin : createMemberOrigin(origin, name)));
  }
  const items = value
    .slice(1, -1)
    .split(',')
    .map((item) => item.trim());
  const item = items.find((entry) => entry === name || new RegExp(String.raw`^${escape(name)}\s*:`).test(entry));
  if (item !== undefined) return toList(findSource(item.replace(/^[\w$]+\s*:\s*/, ''), bindings));
  return items
    .filter((entry) => entry.startsWith('...'))
    .flatMap((entry) => toList(findSource(entry.slice(3), bindings)))
    .map(({ module }) => ({ module, name }));
}

/** The names that are bound by imports, and by variables whose value is only such a name. */
function readBindings(text: string): ReadonlyMap<string, Origin> {
  const bindings = new Map<string, Origin>();
  for (const [, clause, specifier] of text.matchAll(IMPORT_PATTERN)) {
    const module = normaliseModule(specifier!);
    const [, list = ''] = /\{([^{}]*)\}/.exec(clause!) ?? [];
    const [, namespaceName] = /\*\s*as\s+([\w$]+)/.exec(clause!) ?? [];
    const [defaultName] = /^[\w$]+/.exec(clause!) ?? [];
    if (namespaceName !== undefined) bindings.set(namespaceName, { module, name: '*' });
    if (defaultName !== undefined) bindings.set(defaultName, { module, name: 'default' });
    for (const { from, to } of readNames(list, ' as ')) bindings.set(to, { module, name: from });
  }
  for (const [, target, value] of text.matchAll(VARIABLE_PATTERN)) {
    const origin = findSource(value!, bindings);
    if (!origin) continue;
    if (!target!.startsWith('{')) bindings.set(target!, origin);
    else
      for (const { from, to } of readNames(target!.slice(1, -1), ':'))
        bindings.set(to, createMemberOrigin(origin, from));
  }
  return bindings;
}

/** The names in `a, b as c`. */
function readNames(list: string, separator: string): readonly { readonly from: string; readonly to: string }[] {
  return list.split(',').flatMap((item) => {
    const [from = '', to = from] = item.split(separator).map((name) => name.trim());
    return from === '' ? [] : [{ from, to }];
  });
}

function findSource(value: string, bindings: ReadonlyMap<string, Origin>): Origin | undefined {
  if (!new RegExp(`^${VALUE_SOURCE}$`).test(value)) return undefined;
  const [, specifier, tail = ''] = /\(\s*['"]([^'"]+)['"]\s*\)\s*\)?(.*)$/.exec(value) ?? [];
  const [first = '', ...names] = value.split('.');
  const root = specifier === undefined ? bindings.get(first) : { module: normaliseModule(specifier), name: '*' };
  const members = specifier === undefined ? names : tail.split('.').slice(1);
  return root && members.reduce((origin, member) => createMemberOrigin(origin, member), root);
}

function toList(origin: Origin | undefined): readonly Origin[] {
  return origin ? [origin] : [];
}

function escape(name: string): string {
  return name.replace(/\W/g, String.raw`\$&`);
}
