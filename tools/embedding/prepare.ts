// Gathers pairs of words and code from git directories into one file per repository.
// Usage: node tools/embedding/prepare.ts --repositories DIR --out DIR   (DIR holds OWNER+NAME/repo, each a git
// directory)

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { extractQueryTerms, extractTerms } from '../../server/src/core/index/terms/terms.ts';
import { pairsOfPatch } from './committed.ts';
import { pairsOfFile } from './documented.ts';
import { filesOf, headOf, patchesOf, someCommits, textsOf } from './gitObjects.ts';
import type { Pair, PairKind } from './pair.ts';
import { randomOf, shuffle } from './random.ts';
import { isMeasuredOn, isOwnSource, licenceFile, permissiveLicence } from './sources.ts';

const MAX_FILES = 900;
const MAX_FILE_SIZE = 600_000;
const MIN_FILE_SIZE = 300;
const MAX_COMMITS = 1_200;
/** So that no repository, and no kind of pair, drowns the others. */
const MAX_PAIRS: Readonly<Record<PairKind, number>> = { doc: 3_000, commit: 1_500, test: 700, name: 1_500 };
const NAMED_FOLDERS = 3;

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
    reverse: { type: 'boolean' },
  },
});
if (!values.repositories || !values.out)
  throw new Error('Usage: prepare.ts --repositories DIR --out DIR [--only PART_OF_NAME]');
mkdirSync(values.out, { recursive: true });
const names = readdirSync(values.repositories).sort();
for (const name of values.reverse ? names.reverse() : names) {
  if (!name.includes('+') || isMeasuredOn(name) || (values.only && !name.includes(values.only))) continue;
  const done = join(values.out, `${name}.json`);
  const gitDir = [join(values.repositories, name, 'repo', '.git'), join(values.repositories, name, 'repo')].find(
    (dir) => existsSync(join(dir, 'HEAD')),
  );
  if (existsSync(done) || !gitDir) continue;
  const started = process.cpuUsage();
  const { licence, pairs } = await gather(gitDir);
  const counts = { doc: 0, commit: 0, test: 0, name: 0 };
  for (const { kind } of pairs) counts[kind]++;
  if (licence)
    writeFileSync(
      join(values.out, `${name}.jsonl`),
      pairs.map((pair) => `${JSON.stringify(inTerms(pair))}\n`).join(''),
    );
  writeFileSync(
    done,
    JSON.stringify({ repository: name.replace('+', '/'), commit: await headOf(gitDir), licence, counts }),
  );
  const { user } = process.cpuUsage(started);
  console.log(
    `${name} ${licence ?? 'LEFT OUT: no permissive licence found'} ${JSON.stringify(counts)} ${Math.round(user / 1e3)} ms`,
  );
}

async function gather(gitDir: string): Promise<{ readonly licence: string | null; readonly pairs: readonly Pair[] }> {
  const random = randomOf(1);
  const files = await filesOf(gitDir);
  const licences = await textsOf(
    gitDir,
    files.filter(({ path }) => licenceFile.test(path)).map(({ object }) => object),
  );
  const licence = permissiveLicence(licences.filter((text) => text !== null));
  if (!licence) return { licence, pairs: [] };
  const chosen = shuffle(
    files.filter(({ path, size }) => size >= MIN_FILE_SIZE && size <= MAX_FILE_SIZE && isOwnSource(path)),
    random,
  ).slice(0, MAX_FILES);
  const texts = await textsOf(
    gitDir,
    chosen.map(({ object }) => object),
  );
  const pairs = chosen.flatMap(({ path }, index) => (texts[index] === null ? [] : pairsOfFile(path, texts[index]!)));
  for await (const patch of patchesOf(gitDir, await someCommits(gitDir, MAX_COMMITS)))
    pairs.push(...pairsOfPatch(patch));
  return { licence, pairs: distinct(shuffle(pairs, random)) };
}

/** Each (words, code) and each sentence a few times at most, and no more of a kind than its share. */
function distinct(pairs: readonly Pair[]): Pair[] {
  const seen = new Map<string, number>();
  const counts = { doc: 0, commit: 0, test: 0, name: 0 };
  return pairs.filter(({ kind, words, code }) => {
    const times = (seen.get(words) ?? 0) + 1;
    seen.set(words, times);
    if (times > 3 || seen.has(code) || counts[kind] >= MAX_PAIRS[kind]) return false;
    seen.set(code, 1);
    counts[kind]++;
    return true;
  });
}

/** As terms, the code with its path and names the way that a chunk of the index has them. */
function inTerms({ kind, words, code, path, names }: Pair): {
  readonly k: PairKind;
  readonly q: string;
  readonly c: string;
} {
  const folders = path.split('/');
  const stem = extractTerms(folders.pop()!.replace(/\.[^.]*$/, ''));
  const nameTerms = names.flatMap(extractTerms);
  return {
    k: kind,
    q: extractQueryTerms(words).join(' '),
    c: [
      ...stem,
      ...stem,
      ...folders.slice(-NAMED_FOLDERS).flatMap(extractTerms),
      ...nameTerms,
      ...nameTerms,
      ...extractTerms(code),
    ].join(' '),
  };
}
