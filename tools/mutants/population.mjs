// All mutants of the safety code, and a sample of them that a seed decides.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import ts from 'typescript';

/** The rooms of the core that keep a person's tree safe. */
export const ROOMS = ['apply', 'charter', 'ledger', 'score', 'verify'];
/** Texts and patterns of messages: what they say is for people, and a test that repeats it shows nothing. */
const EXCLUDED = ['StringLiteral', 'Regex'];
const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {}, error() {} };

/** The source files of the five folders, relative to the root. */
export function sourceFiles(root) {
  return ROOMS.map((room) => `server/src/core/${room}`)
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name}`),
    )
    .sort();
}

/** The mutants of files, each with a name that edits elsewhere in its file leave alone, and the instrumented texts. */
export async function mutantsOf(root, ranges) {
  const files = Object.entries(ranges).map(([name, mutate]) => ({
    name,
    mutate,
    content: readFileSync(join(root, name), 'utf8'),
  }));
  const versions = new Map(files.map(({ name, content }) => [name, hash(content).slice(0, 8)]));
  const texts = new Map(files.map(({ name, content }) => [name, content]));
  // Patterns that the instrumenter cannot parse are printed at length, although none is mutated.
  const print = console.error;
  console.error = () => {};
  const made = await new Instrumenter(silent).instrument(files, { excludedMutations: EXCLUDED, ignorers: [] });
  console.error = print;
  const times = new Map();
  const mutants = made.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName: file, mutatorName: kind, location, replacement }) => {
      const [start, end] = [location.start, location.end].map((position) => offset(texts.get(file), position));
      const before = texts.get(file).slice(start, end);
      const place = [file, kind, flat(before), flat(replacement)].join('\n');
      times.set(place, (times.get(place) ?? 0) + 1);
      const name = hash(`${place}\n${times.get(place)}`).slice(0, 8);
      const version = versions.get(file);
      return {
        name,
        version,
        id,
        file,
        kind,
        line: location.start.line + 1,
        location,
        start,
        end,
        before,
        after: replacement,
      };
    });
  return { mutants, files: made.files };
}

/** `count` mutants that compile, by the order of a hash with the seed; and how many before them do not. */
export function draw(root, mutants, seed, count, known) {
  const ranked = mutants
    .map((mutant) => [hash(`${seed} ${mutant.name}`), mutant])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, mutant]) => mutant);
  const compiles = compiler(root, [...new Set(ranked.map(({ file }) => file))]);
  const drawn = [];
  let refused = 0;
  for (const mutant of ranked) {
    if (drawn.length === count) break;
    const { version } = mutant;
    if (known[mutant.name]?.version !== version) known[mutant.name] = { version, compiles: compiles(mutant) };
    if (known[mutant.name].compiles) drawn.push(mutant);
    else refused += 1;
  }
  return { drawn, refused };
}

function compiler(root, files) {
  const { options } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, ts.sys);
  let mutated = null;
  const textOf = (path) => {
    const text = ts.sys.readFile(path);
    if (!mutated || path !== join(root, mutated.file)) return text;
    return text.slice(0, mutated.start) + mutated.after + text.slice(mutated.end);
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => files.map((file) => join(root, file)),
    getScriptVersion: (path) => (mutated && path === join(root, mutated.file) ? mutated.name : ''),
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(textOf(path) ?? ''),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (mutant) => {
    mutated = mutant;
    const path = join(root, mutant.file);
    return service.getSyntacticDiagnostics(path).length + service.getSemanticDiagnostics(path).length === 0;
  };
}

function offset(text, { line, column }) {
  let at = 0;
  for (let left = line; left > 0; left -= 1) at = text.indexOf('\n', at) + 1;
  return at + column;
}

const flat = (text) => text.replace(/\s+/g, ' ');

/** A short name for any text. */
export function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}
