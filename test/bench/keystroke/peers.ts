// Runs what other tools do after a keystroke, warm and in this process. This is their best case, without the
// communication with an editor.

import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { ts } from 'ts-morph';
import { createQuickAnalysis } from '../../../server/src/core/analysis/live/quickAnalysis.ts';
import type { Keystroke } from './typing.ts';

/** A tool. */
export interface Peer {
  readonly name: string;
  /**
   * Does the work for a text. `change`: the inserted range since the text of the previous call; null if there is none.
   */
  analyse(text: string, change: { readonly at: number; readonly length: number } | null): unknown;
}

/** The peers, and our own analysis while typing under the same conditions. */
export function createPeers(): readonly Peer[] {
  return [createOwnPeer(), createIncrementalParser(), createUnusedNamesPeer(), createEslintPeer()];
}

/** The text after each keystroke, with the change that led to it. */
export function* typeText(
  text: string,
  keystrokes: readonly Keystroke[],
): Generator<{ readonly text: string; readonly change: { readonly at: number; readonly length: number } }> {
  let current = text;
  for (const { at: offset, text: letter } of keystrokes) {
    current = current.slice(0, offset) + letter + current.slice(offset);
    yield { text: current, change: { at: offset, length: letter.length } };
  }
}

function createOwnPeer(): Peer {
  const glance = createQuickAnalysis();
  return {
    name: 'Selfware, a glance alone',
    analyse: (text) =>
      glance({ path: 'src/large.ts', text, language: 'typescript', tree: null, symbols: null, generated: false }),
  };
}

/** The minimum work of any tool that needs the syntax. */
function createIncrementalParser(): Peer {
  let tree: ts.SourceFile | null = null;
  return {
    name: 'TypeScript, incremental parse alone',
    analyse(text, change) {
      tree =
        tree && change
          ? ts.updateSourceFile(tree, text, { span: { start: change.at, length: 0 }, newLength: change.length })
          : ts.createSourceFile('/large.ts', text, ts.ScriptTarget.Latest, true);
    },
  };
}

/** The suggestions of the editor's own TypeScript service, such as unused names, without libraries and other files. */
function createUnusedNamesPeer(): Peer {
  let current = '';
  let version = 0;
  const service = ts.createLanguageService(
    {
      getCompilationSettings: () => ({ noLib: true, noResolve: true, types: [] }),
      getScriptFileNames: () => ['/large.ts'],
      getScriptVersion: () => String(version),
      getScriptSnapshot: (name) => (name === '/large.ts' ? ts.ScriptSnapshot.fromString(current) : undefined),
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib.d.ts',
      fileExists: (name) => name === '/large.ts',
      readFile: () => undefined,
    },
    ts.createDocumentRegistry(),
  );
  return {
    name: 'TypeScript, suggestions of the language service',
    analyse(text) {
      current = text;
      version++;
      return service.getSuggestionDiagnostics('/large.ts');
    },
  };
}

function createEslintPeer(): Peer {
  const linter = new Linter({ configType: 'flat' });
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: parser as Linter.Parser },
    rules: { complexity: ['warn', 15], 'max-depth': 'warn', 'no-unused-vars': 'warn' },
  };
  return {
    name: 'ESLint, complexity + max-depth + no-unused-vars',
    analyse: (text) => linter.verify(text, config, { filename: 'large.ts' }),
  };
}
