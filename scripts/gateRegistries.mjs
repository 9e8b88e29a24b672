// Generates the registries of gates from the folders of the gates, and the table of gates in docs/verification.md.
import { join } from 'node:path';
import { replaceGenerated } from './between.mjs';
import { listSubfolders, createIdentifier, readText, formatRecord, createRegistryText, root } from './registryText.mjs';

const gatesFolder = 'server/src/core/verify/gates';
const gates = (
  await Promise.all(
    listSubfolders(gatesFolder).map(async (id) => ({
      id,
      ...(
        await import(join(root, gatesFolder, id, 'facts.ts'))
      ).facts,
    })),
  )
).sort((a, b) => a.order - b.order);

/** The content of each registry and page, by path relative to the root. */
export function createGateRegistries() {
  const ids = gates.map(({ id }) => id);
  return {
    'server/src/core/model/gates.ts': createRegistryOfGates('The names of the gates: plain data.', [
      '/** In the order in which they run, the cheapest first. */',
      ...formatList('GATE_ORDER', ids),
      '',
      'export type GateName = (typeof GATE_ORDER)[number];',
      '',
      '/** The stage of each gate. */',
      'export const STAGE_BY_GATE = {',
      ...gates.map(({ id, stage }) => `  ${/-/.test(id) ? quote(id) : id}: '${stage}',`),
      '} as const;',
    ]),
    'server/src/core/verify/gates/allGates.ts': createRegistryOfGates('The functions of all gates.', [
      "import type { GateName } from '../../model/gates.ts';",
      "import type { Gate } from '../gate.ts';",
      ...ids.map((id) => `import { gate as ${createIdentifier(id)} } from './${id}/gate.ts';`),
      '',
      ...formatRecord('gates: Readonly<Record<GateName, Gate>>', ids),
    ]),
    'server/src/protocol/gateWords.ts': createRegistryOfGates('Labels and meanings of the gates, for people.', [
      'export const gateWords = {',
      ...gates.flatMap(({ id, label, meaning }) => [
        `  ${/-/.test(id) ? quote(id) : id}: {`,
        ...formatProperty('label', label),
        ...formatProperty('meaning', meaning),
        '  },',
      ]),
      '};',
    ]),
    'docs/verification.md': replaceGenerated(readText('docs/verification.md'), 'gates', [
      '| gate | passes when | fails when | unknown when |',
      '|---|---|---|---|',
      ...ids.map((id) => readText(`${gatesFolder}/${id}/row.md`).trim().replaceAll('](../../../../../../docs/', '](')),
    ]),
  };
}

/** A registry with its generated head. */
function createRegistryOfGates(purpose, lines) {
  return createRegistryText('core/verify/gates', purpose, lines);
}

/** A property on one line if it fits, otherwise with its value on the next line, as the formatter writes it. */
function formatProperty(key, text) {
  const line = `    ${key}: ${quote(text)},`;
  return line.length <= 120 ? [line] : [`    ${key}:`, `      ${quote(text)},`];
}

/** A list on one line if it fits, otherwise with one item on each line, as the formatter writes it. */
function formatList(head, ids) {
  const line = `export const ${head} = [${ids.map(quote).join(', ')}] as const;`;
  return line.length <= 120
    ? [line]
    : [`export const ${head} = [`, ...ids.map((id) => `  ${quote(id)},`), '] as const;'];
}

/** A string literal. */
function quote(text) {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}
