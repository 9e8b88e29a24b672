// Reads the command line of `npm run bench`.

import { parseArgs } from 'node:util';
import { KINDS, type Kind } from './answers/kinds.ts';
import type { Bench, BenchOptions } from './support/bench.ts';

/** A request to run benches. */
export interface Request {
  readonly benches: readonly Bench[];
  readonly options: Omit<BenchOptions, 'scratch' | 'note'>;
  /** The file to which all figures are written as JSON; null for none. */
  readonly json: string | null;
}

/** The request in the arguments, or the text of the help. `wrong`: true if the arguments are invalid. */
export function readRequest(
  args: readonly string[],
  benches: readonly Bench[],
): Request | { readonly help: string; readonly wrong: boolean } {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options: optionTypes });
  } catch (error) {
    return { help: `${(error as Error).message}\n\n${formatHelp(benches)}`, wrong: true };
  }
  const { values, positionals } = parsed;
  if (values.help) return { help: formatHelp(benches), wrong: false };
  const unknownNames = positionals.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknownNames.length > 0)
    return { help: `There is no bench ${unknownNames.join(', ')}.\n\n${formatHelp(benches)}`, wrong: true };
  const kinds = (values.kinds ?? '').split(',').filter((kind) => kind !== '');
  const unknownKinds = kinds.filter((kind) => !KINDS.some((candidate) => candidate === kind));
  if (unknownKinds.length > 0) return { help: `There is no kind of task ${unknownKinds.join(', ')}.`, wrong: true };
  if ((values.labels === undefined) !== (values.manifest === undefined))
    return { help: '--labels and --manifest go together.', wrong: true };
  return {
    benches: positionals.length > 0 ? benches.filter(({ name }) => positionals.includes(name)) : benches,
    options: {
      seed: Number(values.seed),
      repeats: Math.max(1, Math.trunc(Number(values.repeats))),
      size: values.tiny ? 'tiny' : values.large ? 'large' : 'default',
      labels: values.labels ?? null,
      manifest: values.manifest ?? null,
      cosqa: values.cosqa ?? null,
      grow: values.grow ?? [],
      inputs: values.inputs === undefined ? null : Math.max(1, Math.trunc(Number(values.inputs))),
      each: values.each === undefined ? null : Math.max(1, Math.trunc(Number(values.each))),
      kinds: kinds as Kind[],
      at: (values.at ?? []).flatMap((list) => list.split(',')).filter((dir) => dir !== ''),
      minutes: Math.max(0.1, Number(values.minutes)),
      keep: values.keep ?? null,
      commits: values.commits === undefined ? null : Math.max(1, Math.trunc(Number(values.commits))),
    },
    json: values.json ?? null,
  };
}

const optionTypes = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'string' },
  labels: { type: 'string' },
  manifest: { type: 'string' },
  cosqa: { type: 'string' },
  grow: { type: 'string', multiple: true },
  inputs: { type: 'string' },
  each: { type: 'string' },
  kinds: { type: 'string' },
  at: { type: 'string', multiple: true },
  minutes: { type: 'string', default: '30' },
  keep: { type: 'string' },
  commits: { type: 'string' },
  large: { type: 'boolean' },
  tiny: { type: 'boolean' },
  seed: { type: 'string', default: '1' },
  repeats: { type: 'string', default: '3' },
} as const;

function formatHelp(benches: readonly Bench[]): string {
  return [
    'npm run bench -- [NAME …] [options]',
    '',
    ...benches.map(({ name, describe }) => `  ${name.padEnd(10)} ${describe}`),
    '',
    '  --json FILE       all figures as JSON',
    '  --labels DIR      annotations NAME.json of the open code-search benchmark (with --manifest)',
    '  --manifest FILE   its repositories: [{name, language, root, pinned}]',
    '  --cosqa DIR       folder with cosqa-retrieval-dev-500.json, cosqa-retrieval-test-500.json, code_idx_map.txt',
    '  --grow DIR        grow synthetic repositories from these sources instead of node_modules (repeatable)',
    '  --inputs N        mutants of the bench fuzz (default 2,000; --large 20,000)',
    '  --each N          questions of each kind and repository for the bench answers (default: as Selfware would ask)',
    '  --kinds KIND,…    with --each, only these kinds: tests, refused by a recipe, fix, type hole, other place',
    '  --at DIR[,DIR]    checkouts for the benches repositories, gains, gate and verdicts, with their packages installed',
    '  --minutes N       how long each of them is improved, or how long noise-court or verdicts may take (default 30)',
    '  --keep PATH       write what was changed there, as diffs; for noise-court and pack-relevance, the file that keeps what was judged',
    '  --commits N       fixes of each repository for pack-relevance (default 15; --large 50, --tiny 1), real commits for gate',
    '  --large           also the sizes that take long (50,000 files, 200,000 chunks)',
    '  --tiny            the smallest sizes: seconds, to see that all works',
    '  --repeats N       repeat timed runs (default 3; the tables show the median and the range)',
    '  --seed N          another input of the same kind (default 1)',
  ].join('\n');
}
