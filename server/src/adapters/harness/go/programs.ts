// Builds Go's test programs with the mutants compiled in. Mutants that the compiler refuses are removed, and the
// remaining ones are compiled again.

import { writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, join } from 'node:path';
import type { GoMutationRequest, GoRequestMutant } from '../../../core/verify/guard/go/goMutationOrder.ts';
import { findRefusedMutants, SWITCH_FILE, formatSwitchFile, insertMutants } from './mutantFiles.ts';
import type { GoPackages, RunGo, SourcePackage, TestPackage } from './packages.ts';

/** A test program that was built. */
export interface TestProgram {
  readonly test: TestPackage;
  /** Path of the test program. */
  readonly program: string;
  /** The mutants that it contains, whether or not its tests reach them. */
  readonly mutants: readonly GoRequestMutant[];
}

/** Maximum number of compilations. One may not be enough, because some errors appear only after others are fixed. */
const MAX_COMPILATIONS = 6;

/** Replacements of files for the build (https://pkg.go.dev/cmd/go: `-overlay`). */
export interface BuildOverlay {
  /** Path of the JSON file for `-overlay`; empty if no mutant compiles. */
  readonly path: string;
  /** The mutants that compile. */
  readonly mutants: readonly GoRequestMutant[];
  /** The mutants that do not compile, each with the compiler's first error about it. */
  readonly refusalReasons: ReadonlyMap<GoRequestMutant, string>;
}

/**
 * Compiles the mutants, up to `MAX_COMPILATIONS` times, and writes the overlay with those that compile to `folder`. Mutants
 * in files that are not part of the build are skipped. Null if the compiler fails without an error about a mutant, or
 * if some mutants still do not compile after all rounds.
 */
export async function buildOverlay(
  request: GoMutationRequest,
  { sources }: GoPackages,
  folder: string,
  go: RunGo,
): Promise<BuildOverlay | null> {
  const refused = new Map<GoRequestMutant, string>();
  let mutants = request.mutants.filter(({ path }) => sources.get(path));
  const sourcesOfMutants = [...new Set(mutants.map(({ path }) => sources.get(path)!))];
  const packages = [...new Map(sourcesOfMutants.map((source) => [source.importPath, source])).values()];
  for (let round = 0; round < MAX_COMPILATIONS && mutants.length > 0; round += 1) {
    const content = { order: request, mutants, packages, sources, folder };
    const path = writeOverlay({ ...content, isNamed: true });
    // With -e, the compiler reports all errors instead of the first ten.
    const allErrorsFlags = packages.map(({ importPath }) => `-gcflags=${importPath}=-e`);
    const { code, output } = await go([
      ...['build', ...request.build, ...allErrorsFlags, `-overlay=${path}`, '-o', devNull],
      ...packages.map(({ importPath }) => importPath),
    ]);
    if (code === 0) {
      writeOverlay({ ...content, isNamed: false });
      return { path, mutants, refusalReasons: refused };
    }
    const errors = findRefusedMutants(output);
    if (errors.size === 0) return null;
    for (const mutant of mutants) {
      const error = errors.get(mutant.number);
      if (error !== undefined) refused.set(mutant, error);
    }
    mutants = mutants.filter((mutant) => !refused.has(mutant));
  }
  return mutants.length === 0 ? { path: '', mutants, refusalReasons: refused } : null;
}

/**
 * Builds the test program of a package. `index`: a number that makes its file name unique. Null if the program cannot
 * be built.
 */
export async function buildTests(
  test: TestPackage,
  { path, mutants }: BuildOverlay,
  { sources }: GoPackages,
  { order, folder, go }: { readonly order: GoMutationRequest; readonly folder: string; readonly go: RunGo },
  index: number,
): Promise<TestProgram | null> {
  const program = join(folder, `tests-${index}${process.platform === 'win32' ? '.exe' : ''}`);
  const { code } = await go([
    ...['test', '-c', '-vet=off', ...order.build, `-overlay=${path}`, '-o', program, test.importPath],
  ]);
  const containedMutants = mutants.filter((mutant) => test.containedPaths.has(sources.get(mutant.path)!.importPath));
  return code === 0 ? { test, program, mutants: containedMutants } : null;
}

/** The content of an overlay. */
interface OverlayContent {
  readonly order: GoMutationRequest;
  readonly mutants: readonly GoRequestMutant[];
  /** The packages that contain a mutant. */
  readonly packages: readonly SourcePackage[];
  readonly sources: GoPackages['sources'];
  readonly folder: string;
  /** True if messages about a mutant have a file name with its number (`insertMutants`). */
  readonly isNamed: boolean;
}

/** Writes the JSON file of the overlay and the replacing files, and returns the path of the JSON file. */
function writeOverlay({ order, mutants, packages, sources, folder, isNamed }: OverlayContent): string {
  const replacedFiles: Record<string, string> = {};
  const addReplacement = (absolutePath: string, text: string) => {
    const file = join(folder, `${Object.keys(replacedFiles).length}.go`);
    writeFileSync(file, text);
    replacedFiles[absolutePath] = file;
  };
  for (const { path, text } of order.files) {
    const mutantsOfFile = mutants.filter((mutant) => mutant.path === path);
    if (mutantsOfFile.length > 0)
      addReplacement(
        join(sources.get(path)!.dir, basename(path)),
        insertMutants(text, basename(path), mutantsOfFile, isNamed),
      );
  }
  for (const { dir, name } of packages) addReplacement(join(dir, SWITCH_FILE), formatSwitchFile(name));
  const path = join(folder, 'overlay.json');
  writeFileSync(path, JSON.stringify({ Replace: replacedFiles }));
  return path;
}
