// Parses the code of a Python test file outside of its tests, and the tests themselves as text.

import { listPythonLines, splitAt, trimExpression, type PythonLine } from '../python/pythonStatements.ts';
import { isSkip, readSkips, type Skip } from '../python/skips.ts';
import { toPythonModulePath } from './modules.ts';
import { findPythonOverrides } from './pythonOverrides.ts';
import { formatImport, type FramePart, type FrameUser, type TestFrame } from './testFrame.ts';

/** A test function. */
export interface PythonCase extends FrameUser {
  readonly line: number;
  readonly lastLine: number;
  /** Its statements, without differences of layout. */
  readonly body: string;
  /** The rows of its tables. */
  readonly rows: readonly string[];
  /** Its statements without skips. */
  readonly statements: string;
  /** Its skips, except for marks of single rows. */
  readonly skips: readonly Skip[];
  /** The names that it uses outside of rows, and the members of its class that it uses. */
  readonly wordsOutsideRows: readonly string[];
}

/** The content of a Python file. */
export interface PythonFile {
  readonly frame: TestFrame;
  readonly cases: readonly PythonCase[];
}

/** A statement with all lines that are indented below it. */
interface Block {
  readonly lines: readonly PythonLine[];
  readonly scope: string;
}

const WORD_PATTERN = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu;
/** Parses a file. Test functions are those whose name begins with `test`, at the top level or in a class. */
export function readPythonFile(text: string): PythonFile {
  const lines = listPythonLines(text);
  const parts: FramePart[] = [];
  const cases: PythonCase[] = [];
  for (const block of splitBlocks(lines, '')) readBlock(block);
  return { frame: { parts, overrides: findPythonOverrides(lines) }, cases };

  function readBlock({ lines: block, scope }: Block): void {
    const head = block.find(({ code }) => !code.startsWith('@')) ?? block[0]!;
    const [, kind, name] = /^(?:async )?(def|class) (\w+)/.exec(head.code) ?? [];
    if (kind === 'def' && /^test/i.test(name!)) return void cases.push(createCase(name!, scope, block));
    const body = block.slice(block.indexOf(head) + 1);
    if (kind === 'class' && body.some(({ code }) => /^(?:async )?def test/i.test(code))) {
      const inner = [scope, name!].filter(Boolean).join(' › ');
      const header = block.slice(0, block.indexOf(head) + 1);
      addPart(header, [], inner);
      for (const member of splitBlocks(body, inner)) readBlock(member);
      return;
    }
    if (/^(?:from|import) /.test(head.code)) return void parts.push(...readImports(head, scope));
    // Docstrings, and code that runs only if the file is the main program.
    if (/^[rbuf]{0,2}§+$/i.test(head.code) || /^if __name__ ?==/.test(head.code) || head.code === 'pass') return;
    if (kind) {
      const isHook =
        /^(?:set_?up|tear_?down)/i.test(name!) || block.some(({ code }) => /^@.*autouse ?= ?True/.test(code));
      return addPart(block, isHook || (kind === 'def' && name!.startsWith('pytest_')) ? [] : [name!], scope);
    }
    const [target, value] = splitAt(head, /(?<![=!<>:])=(?!=)/);
    const isAssigned = value !== undefined && block.length === 1 && /^[\w, ()]+(?::.*)?$/.test(target!.code);
    const names = isAssigned ? (target!.code.replace(/:.*$/, '').match(WORD_PATTERN) ?? []) : [];
    addPart(block, names[0] === 'pytestmark' ? [] : names, scope, value ? parseElements(value.text, value.code) : null);
  }

  function addPart(
    block: readonly PythonLine[],
    names: readonly string[],
    scope: string,
    elements: readonly string[] | null = null,
  ): void {
    const [first] = block;
    if (!first) return;
    const words = listWords(block).filter((word) => !names.includes(word));
    const skips = readSkips(block);
    parts.push({
      ...{ names, scope, line: first.line, text: joinLines(block), words },
      ...(elements ? { elements } : {}),
      ...(skips.length > 0 ? { skips } : {}),
    });
  }
}

function createCase(name: string, scope: string, block: readonly PythonLine[]): PythonCase {
  const isTable = ({ code }: PythonLine) => /^@.*parametrize\(/.test(code);
  const rowsByLine = new Map(block.filter(isTable).map((line) => [line, readRows(line)]));
  const rows = [...rowsByLine.values()].flat();
  const linesWithoutRows = block.filter((line) => (rowsByLine.get(line) ?? []).length === 0);
  const body = block.slice(block.findIndex(({ code }) => !code.startsWith('@')) + 1);
  // A function on one line has only its head as a statement.
  const actingLines = body.slice(body.length > 1 ? 1 : 0).filter((line) => !isSkip(line));
  return {
    ...{ name: [scope, name].filter(Boolean).join(' › '), line: block[0]!.line, lastLine: block.at(-1)!.line, rows },
    body: joinLines(block.filter((line) => !isTable(line) || rows.length === 0)),
    statements: joinLines(actingLines),
    skips: readSkips(linesWithoutRows),
    ...{ words: listWords(block), wordsOutsideRows: [...listWords(linesWithoutRows), ...listMembers(body)] },
    declares: readDeclared(body),
  };
}

/** The rows of a decorator with a table; empty if the decorator only refers to the table by its name. */
function readRows({ text, code }: PythonLine): readonly string[] {
  const open = code.indexOf('(');
  const [, table] = splitAt({ text: text.slice(open + 1, -1), code: code.slice(open + 1, -1) }, /,/);
  const start = /^argvalues ?= ?/.exec(table?.code ?? '')?.[0].length ?? 0;
  return (table && parseElements(table.text.slice(start), table.code.slice(start))) ?? [];
}

/** The declarations in the body of a test function, without those in functions inside it. */
function readDeclared(body: readonly PythonLine[]): readonly FramePart[] {
  let inner = Infinity;
  return body.flatMap((line): readonly FramePart[] => {
    const { code, indent } = line;
    if (indent > inner) return [];
    const [, name] = /^(?:async )?(?:def|class) (\w+)/.exec(code) ?? [];
    inner = name === undefined ? Infinity : indent;
    if (/^(?:from|import) /.test(code)) return readImports(line, '');
    const [target] = splitAt(line, /(?<![=!<>:])=(?!=)/);
    const isAssigned = target!.code !== code && /^[\w, ()]+(?::.*)?$/.test(target!.code);
    const assigned = isAssigned ? (target!.code.replace(/:.*$/, '').match(WORD_PATTERN) ?? []) : [];
    const names = name === undefined ? assigned : [name];
    return names.length === 0 ? [] : [{ names, scope: '', line: line.line, text: line.text, words: [] }];
  });
}

/** The names that an import binds. */
function readImports(head: PythonLine, scope: string): readonly FramePart[] {
  const [, from, importedNames = ''] = /^(?:from ([\w.]+) )?import (.*)$/s.exec(head.code) ?? [];
  return importedNames
    .replace(/[()]/g, '')
    .split(',')
    .flatMap((item) => {
      const [, name, alias] = /^\s*([\w.*]+)(?: as (\w+))?\s*$/.exec(item) ?? [];
      if (!name) return [];
      const origin =
        from === undefined
          ? { module: toPythonModulePath(name), name: '*' }
          : { module: toPythonModulePath(from), name };
      const localName = alias ?? name.split('.')[0]!;
      return [{ names: [localName], scope, line: head.line, text: formatImport(localName, origin), words: [], origin }];
    });
}

/** The elements of a list or tuple; null for other values. */
function parseElements(text: string, code: string): readonly string[] | null {
  if (!/^[[(].*[\])]$/s.test(code)) return null;
  return splitAt({ text: text.slice(1, -1), code: code.slice(1, -1) }, /,/)
    .map((element) => trimExpression(element).text)
    .filter((element) => element !== '');
}

/** The statements at the first level of indentation, each with its decorators and the lines below it. */
function splitBlocks(lines: readonly PythonLine[], scope: string): readonly Block[] {
  const blocks: PythonLine[][] = [];
  const indent = lines[0]?.indent ?? 0;
  for (const line of lines) {
    const lastBlock = blocks.at(-1);
    const continues = line.indent > indent || /^(?:else|elif|except|finally)\b/.test(line.code);
    if (lastBlock && (continues || lastBlock.every(({ code }) => code.startsWith('@')))) lastBlock.push(line);
    else blocks.push([line]);
  }
  return blocks.map((block) => ({ lines: block, scope }));
}

function joinLines(block: readonly PythonLine[]): string {
  const indent = block[0]?.indent ?? 0;
  return block
    .filter(({ code }) => !/^[rbuf]{0,2}§+$/i.test(code))
    .map((line) => `${' '.repeat(Math.max(0, line.indent - indent))}${line.text}`)
    .join('\n');
}

function listWords(block: readonly PythonLine[]): readonly string[] {
  return [...new Set(block.flatMap(({ code }) => code.match(WORD_PATTERN) ?? []))];
}

/** The members of its own object that a method uses. */
function listMembers(body: readonly PythonLine[]): readonly string[] {
  return body.flatMap(({ code }) => [...code.matchAll(/\b(?:self|cls)\.(\w+)/g)].map(([, name]) => name!));
}
