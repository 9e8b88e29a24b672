// Asks `go list` for the packages of the files with mutants, and for the test programs that contain them.

import { basename, dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import type { GoOrder } from '../../../core/verify/guard/go/order.ts';
import type { Ran } from './run.ts';

export interface SourcePackage {
  readonly importPath: string;
  readonly name: string;
  readonly dir: string;
}

export interface TestPackage {
  readonly importPath: string;
  readonly dir: string;
  /** The import paths of what the test program contains. */
  readonly contains: ReadonlySet<string>;
}

export interface Packages {
  /** By the path of a file in the order; null = the file is not part of the build here. */
  readonly sources: ReadonlyMap<string, SourcePackage | null>;
  readonly tests: readonly TestPackage[];
}

type Go = (words: readonly string[]) => Promise<Ran>;

const SOURCE = '{{.ImportPath}}\t{{.Name}}\t{{.Dir}}\t{{join .GoFiles ","}},{{join .CgoFiles ","}}';
const TEST = '{{.ImportPath}}\t{{.Dir}}\t{{join .Deps ","}}';

/** Null if `go list` does not answer. */
export async function packagesOf(order: GoOrder, go: Go): Promise<Packages | null> {
  const folders = [...new Set(order.files.map(({ path }) => dirname(join(order.root, path))))];
  const sources = await go(['list', '-e', ...order.build, '-f', SOURCE, ...folders]);
  const tests = await go(['list', '-e', '-test', ...order.build, '-f', TEST, ...order.packages]);
  if (sources.code !== 0 || tests.code !== 0) return null;
  const found = linesOf(sources).map(([importPath = '', name = '', dir = '', files = '']) => ({
    ...{ importPath, name, dir },
    files: files.split(','),
  }));
  return {
    sources: new Map(
      order.files.map(({ path }) => {
        const folder = realpathSync(dirname(join(order.root, path)));
        const one = found.find(({ dir, files }) => isSame(dir, folder) && files.includes(basename(path)));
        return [path, one ?? null];
      }),
    ),
    tests: linesOf(tests).flatMap(([importPath = '', dir = '', contains = '']) =>
      importPath.endsWith('.test')
        ? [{ importPath: importPath.slice(0, -'.test'.length), dir, contains: new Set(contains.split(',').map(plain)) }]
        : [],
    ),
  };
}

function isSame(dir: string, folder: string): boolean {
  return dir !== '' && realpathSync(dir) === folder;
}

/** The import path of a package as it is compiled for a test: `a/b [a/b.test]`. */
function plain(importPath: string): string {
  return importPath.replace(/ \[.*$/, '');
}

/** The lines of a template. Warnings on standard error have no tab. */
function linesOf({ output }: Ran): readonly (readonly string[])[] {
  return output.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')] : []));
}
