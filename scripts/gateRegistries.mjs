// Generates the registries of gates from the folders of the gates, and the table of gates in docs/verification.md.
import { join } from 'node:path';
import { between } from './between.mjs';
import { foldersIn, name, read, record, registry, root } from './registryText.mjs';

const home = 'server/src/core/verify/gates';
const gates = (
  await Promise.all(
    foldersIn(home).map(async (id) => ({ id, ...(await import(join(root, home, id, 'facts.ts'))).facts })),
  )
).sort((a, b) => a.order - b.order);

/** The content of each registry and page, by path relative to the root. */
export function gateRegistries() {
  const ids = gates.map(({ id }) => id);
  return {
    'server/src/core/model/gates.ts': generated('The names of the gates: plain data.', [
      '/** In the order in which they run, the cheapest first. */',
      ...list('GATE_ORDER', ids),
      '',
      'export type GateName = (typeof GATE_ORDER)[number];',
      '',
      '/** The stage of each gate. */',
      'export const STAGE_BY_GATE = {',
      ...gates.map(({ id, stage }) => `  ${/-/.test(id) ? quoted(id) : id}: '${stage}',`),
      '} as const;',
    ]),
    'server/src/core/verify/gates/allGates.ts': generated('The functions of all gates.', [
      "import type { GateName } from '../../model/gates.ts';",
      "import type { Gate } from '../gate.ts';",
      ...ids.map((id) => `import { gate as ${name(id)} } from './${id}/gate.ts';`),
      '',
      ...record('gates: Readonly<Record<GateName, Gate>>', ids),
    ]),
    'server/src/protocol/gateWords.ts': generated('Labels and meanings of the gates, for people.', [
      'export const gateWords = {',
      ...gates.flatMap(({ id, label, meaning }) => [
        `  ${/-/.test(id) ? quoted(id) : id}: {`,
        ...property('label', label),
        ...property('meaning', meaning),
        '  },',
      ]),
      '};',
    ]),
    'docs/verification.md': between(read('docs/verification.md'), 'gates', [
      '| gate | passes when | fails when | unknown when |',
      '|---|---|---|---|',
      ...ids.map((id) => read(`${home}/${id}/row.md`).trim().replaceAll('](../../../../../../docs/', '](')),
    ]),
  };
}

/** A registry with its generated head. */
function generated(purpose, lines) {
  return registry('core/verify/gates', purpose, lines);
}

/** A property on one line if it fits, otherwise with its value on the next line, like the formatter. */
function property(key, text) {
  const line = `    ${key}: ${quoted(text)},`;
  return line.length <= 120 ? [line] : [`    ${key}:`, `      ${quoted(text)},`];
}

/** A list on one line if it fits, otherwise with one item on each line, like the formatter. */
function list(head, ids) {
  const line = `export const ${head} = [${ids.map(quoted).join(', ')}] as const;`;
  return line.length <= 120
    ? [line]
    : [`export const ${head} = [`, ...ids.map((id) => `  ${quoted(id)},`), '] as const;'];
}

/** A string literal. */
function quoted(text) {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}
