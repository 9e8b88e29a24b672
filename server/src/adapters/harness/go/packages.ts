// Asks `go list` for the packages of the files in an order, and for the packages whose tests the order runs.

import { basename, dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import type { GoMutationRequest } from '../../../core/verify/guard/go/goMutationOrder.ts';
import type { RunOutcome } from './run.ts';

/** A package that contains a file of the order. */
export interface SourcePackage {
  readonly importPath: string;
  readonly name: string;
  readonly dir: string;
}

/** A package with tests. */
export interface TestPackage {
  readonly importPath: string;
  readonly dir: string;
  /** Import paths of all packages in its test program. */
  readonly containedPaths: ReadonlySet<string>;
}

/** The packages of an order. */
export interface GoPackages {
  /**
   * The package of each file of the order, by the path of the file. Null if the build on this machine omits the file.
   */
  readonly sources: ReadonlyMap<string, SourcePackage | null>;
  readonly tests: readonly TestPackage[];
}

/** Runs `go` with these arguments. */
export type RunGo = (args: readonly string[]) => Promise<RunOutcome>;

/** Template of `go list` for the packages of files. Tabs separate the fields, and commas the items of a list. */
const SOURCE_TEMPLATE = '{{.ImportPath}}\t{{.Name}}\t{{.Dir}}\t{{join .GoFiles ","}},{{join .CgoFiles ","}}';
/** Template of `go list` for test programs, with the packages that they contain. */
const TEST_TEMPLATE = '{{.ImportPath}}\t{{.Dir}}\t{{join .Deps ","}}';

/** The packages of an order. Null if `go list` fails or exceeds its time. */
export async function listPackages(request: GoMutationRequest, go: RunGo): Promise<GoPackages | null> {
  const folders = [...new Set(request.files.map(({ path }) => dirname(join(request.root, path))))];
  const sources = await go(['list', '-e', ...request.build, '-f', SOURCE_TEMPLATE, ...folders]);
  const tests = await go(['list', '-e', '-test', ...request.build, '-f', TEST_TEMPLATE, ...request.packages]);
  if (sources.code !== 0 || tests.code !== 0) return null;
  const sourcePackages = splitFields(sources).map(([importPath = '', name = '', dir = '', files = '']) => ({
    ...{ importPath, name, dir },
    files: files.split(','),
  }));
  return {
    sources: new Map(
      request.files.map(({ path }) => {
        const folder = realpathSync(dirname(join(request.root, path)));
        const sourcePackage = sourcePackages.find(
          ({ dir, files }) => isSameFolder(dir, folder) && files.includes(basename(path)),
        );
        return [path, sourcePackage ?? null];
      }),
    ),
    tests: splitFields(tests).flatMap(([importPath = '', dir = '', containedPaths = '']) =>
      importPath.endsWith('.test')
        ? [
            {
              importPath: importPath.slice(0, -'.test'.length),
              dir,
              containedPaths: new Set(containedPaths.split(',').map(removeTestSuffix)),
            },
          ]
        : [],
    ),
  };
}

function isSameFolder(dir: string, folder: string): boolean {
  return dir !== '' && realpathSync(dir) === folder;
}

/** The import path `a/b` of a package that is compiled for a test, which `go list` calls `a/b [a/b.test]`. */
function removeTestSuffix(importPath: string): string {
  return importPath.replace(/ \[.*$/, '');
}

/** The fields of each line of `go list`. Skips warnings on standard error, which have no tab. */
function splitFields({ output }: RunOutcome): readonly (readonly string[])[] {
  return output.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')] : []));
}
