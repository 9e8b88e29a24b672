// Writes a Go test that records the current results of some calls: a function at the end of the source's test file, or
// in a new file.

import type { Splice, WrittenTest } from '../../unguarded.ts';
import { createCallCode, type NameSpelling } from './code.ts';
import { findComparableResults, type ChosenCall, type ChosenFunction, type Comparable } from './choose.ts';
import type { GoCall, GoPackagePlan, GoSubject, GoTestFile } from './plan.ts';

/** The first line of an import declaration with several paths. */
const IMPORT_BLOCK_LINE = `import (`;
/** Matches slices, arrays and maps that contain only strings. */
const TEXT_PATTERN = /^(?:\[\d*\]|map\[string\])string\{/;
const IDENTIFIER_PATTERN = /^[A-Za-z_]\w*$/;

/** The test of these calls, or the reason why there is none. */
export function writeGoTest(plan: GoPackagePlan, { subject, calls }: ChosenFunction): WrittenTest {
  const target = findTargetFile(plan, subject.path);
  const isInside = target.packageName === plan.packageName;
  if (!isInside && target.qualifier === null)
    return { refused: `${target.path} does not import the package that it tests.` };
  if (!isInside && calls.some(({ call }) => usesUnexported(plan, call)))
    return {
      refused: `${target.path} stands outside of the package, and the calls use names that it does not export.`,
    };
  const names = createNameSpelling(plan, isInside ? '' : `${target.qualifier}.`);
  const title = findFreeName(`Test${subject.name.replace('.', '')}Results`, plan.taken);
  const shortName = subject.name.slice(subject.name.indexOf('.') + 1);
  const { lines, usesReflect } = writeChecks(plan, subject, calls, names);
  const addedLines = [
    `// ${title} records what ${shortName} returns now.`,
    `func ${title}(t *testing.T) {`,
    ...lines,
    '}',
  ];
  const neededImports = usesReflect ? ['reflect', 'testing'] : ['testing'];
  if (target.lines === 0) {
    const licence = plan.licences[subject.path];
    const before = [...(licence ? [...licence.split('\n'), ''] : []), `package ${plan.packageName}`, ''];
    const text = [...before, ...writeImports(neededImports), '', ...addedLines];
    return { path: target.path, added: text.join('\n'), splices: [{ from: 0, to: 0, lines: text }] };
  }
  const missingImports = neededImports.filter((path) => !target.imported.includes(path));
  const imports = missingImports.length > 0 ? [createImportSplice(target, missingImports)] : [];
  const end: Splice = { from: target.lines, to: target.lines, lines: ['', ...addedLines] };
  return { path: target.path, added: addedLines.join('\n'), splices: [...imports, end] };
}

/** The test file named after the source; otherwise the only one of the package; otherwise a new one. */
function findTargetFile({ testFiles, packageName }: GoPackagePlan, path: string): GoTestFile {
  const testPath = path.replace(/\.go$/, '_test.go');
  const namedFile = testFiles.find((testFile) => testFile.path === testPath);
  if (namedFile) return namedFile;
  if (testFiles.length === 1) return testFiles[0]!;
  return { path: testPath, packageName, qualifier: null, imports: null, packageEnd: 0, imported: [], lines: 0 };
}

function createNameSpelling({ declared, must }: GoPackagePlan, prefix: string): NameSpelling {
  const takenNames = new Set(declared);
  return {
    of: (name) => (IDENTIFIER_PATTERN.test(name) && takenNames.has(name) ? `${prefix}${name}` : name),
    must: (maker) => must[maker],
  };
}

/** True for a call with a constant or a function that only the package itself can name. */
function usesUnexported({ declared }: GoPackagePlan, { receiver, given }: GoCall): boolean {
  const texts = [receiver, ...given].flatMap((value) =>
    value === null ? [] : 'text' in value ? [value.text] : [value.maker, ...value.given],
  );
  return texts.some((text) => declared.includes(text) && !/^[A-Z]/.test(text));
}

function findFreeName(name: string, takenNames: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}${count}`;
    if (!takenNames.includes(candidate)) return candidate;
  }
}

interface Checks {
  readonly lines: readonly string[];
  readonly usesReflect: boolean;
}

function writeChecks(
  plan: GoPackagePlan,
  subject: GoSubject,
  calls: readonly ChosenCall[],
  names: NameSpelling,
): Checks {
  let count = 0;
  // A call may change a value, so each call gets its own variable.
  const chooseVariable = (_made: string, hint: string) => {
    const free = hint === 't' || hint === '_' || hint === '' ? 'value' : hint;
    count += 1;
    return count === 1 ? free : `${free}${count}`;
  };
  const lines: string[] = [];
  let usesReflect = false;
  for (const call of calls) {
    const { before, expression } = createCallCode(subject, call.call, names, chooseVariable);
    for (const { variable, made } of before)
      lines.push(`\t${variable}, err := ${made}`, '\tif err != nil {', '\t\tt.Fatal(err)', '\t}');
    const checked = findComparableResults(subject, call.results, plan.types);
    usesReflect ||= checked.some(({ result }) => result.is === 'list' && !isBytes(result.text));
    lines.push(...writeCheck(expression, subject.results, checked));
  }
  return { lines, usesReflect };
}

/** The lines of a check, such as `if got, err := call; err != nil || got != 3 { … }`. */
function writeCheck(expression: string, types: readonly string[], checked: readonly Comparable[]): readonly string[] {
  const names = chooseResultNames(types, checked);
  const [onlyResult] = checked;
  if (onlyResult && checked.length === 1 && onlyResult.result.is === 'error')
    return [
      `\tif ${names.join(', ')} := ${expression}; err == nil {`,
      `\t\tt.${expression.includes('%') ? 'Errorf' : 'Error'}(${quoteGoString(`${expression.replaceAll('%', '%%')} returned no error`)})`,
      '\t}',
    ];
  // The error is compared first, because the other results may be nil if there is one.
  const sorted = checked.toSorted((a, b) => getComparisonOrder(types, a) - getComparisonOrder(types, b));
  const conditions = sorted.map((comparable) => writeCondition(names[comparable.at]!, comparable));
  const usedNames = checked.map(({ at }) => names[at]!);
  const [verbs, expectedTexts] = [checked.map(chooseVerb), checked.map(formatExpected)];
  const format = `${expression.replaceAll('%', '%%')} = ${verbs.join(', ')}; want ${expectedTexts.join(', ').replaceAll('%', '%%')}`;
  return [
    `\tif ${names.join(', ')} := ${expression}; ${conditions.join(' || ')} {`,
    `\t\tt.Errorf(${quoteGoString(format)}, ${usedNames.join(', ')})`,
    '\t}',
  ];
}

function getComparisonOrder(types: readonly string[], { at }: Comparable): number {
  return types[at] === 'error' ? 0 : 1;
}

/** The names of the results; `_` for results that are not compared. */
function chooseResultNames(types: readonly string[], checked: readonly Comparable[]): readonly string[] {
  const values = checked.filter(({ at }) => types[at] !== 'error').map(({ at }) => at);
  return types.map((type, index) => {
    if (!checked.some((comparable) => comparable.at === index)) return '_';
    if (type === 'error') return 'err';
    return values.length === 1 ? 'got' : `got${values.indexOf(index) + 1}`;
  });
}

function writeCondition(name: string, { result: { is, text } }: Comparable): string {
  if (is === 'nil') return `${name} != nil`;
  if (is === 'text') return `${name}.String() != ${text}`;
  if (is === 'list')
    return isBytes(text) ? `string(${name}) != ${text.slice(7, -1)}` : `!reflect.DeepEqual(${name}, ${text})`;
  if (text === 'true') return `!${name}`;
  return text === 'false' ? name : `${name} != ${text}`;
}

function isBytes(text: string): boolean {
  return text.startsWith('[]byte(');
}

function chooseVerb({ result: { is, text } }: Comparable): string {
  if (is === 'list') return isBytes(text) || TEXT_PATTERN.test(text) ? '%q' : '%v';
  return is === 'value' && text.startsWith('"') ? '%q' : '%v';
}

function formatExpected({ result: { is, text } }: Comparable): string {
  return is === 'text' ? (JSON.parse(toJsonText(text)) as string) : isBytes(text) ? text.slice(7, -1) : text;
}

/** A string that Go has quoted, as JSON. A string with escapes that JSON lacks stays as it is. */
function toJsonText(text: string): string {
  return /\\[^"\\nrtbf]/.test(text) ? JSON.stringify(text) : text;
}

/** A string literal: raw if the text has quotes or backslashes, but neither backticks nor line breaks. */
function quoteGoString(text: string): string {
  return /["\\]/.test(text) && !/[`\n]/.test(text) ? `\`${text}\`` : JSON.stringify(text);
}

function writeImports(paths: readonly string[]): readonly string[] {
  if (paths.length === 1) return [`import ${JSON.stringify(paths[0])}`];
  return [IMPORT_BLOCK_LINE, ...paths.map((path) => `\t${JSON.stringify(path)}`), ')'];
}

/** The import declaration with the missing paths added to its first group, in alphabetical order. */
function createImportSplice({ imports, packageEnd }: GoTestFile, missingImports: readonly string[]): Splice {
  if (!imports) return { from: packageEnd, to: packageEnd, lines: ['', ...writeImports(missingImports)] };
  const { from, to, lines } = imports;
  const isBlock = lines.length > 1;
  const importLines = isBlock
    ? lines.slice(1, -1)
    : lines[0]!.includes('(')
      ? lines[0]!
          .replace(/^import\s*\(|\)\s*$/g, '')
          .split(';')
          .map((line) => `\t${line.trim()}`)
      : lines.map((line) => `\t${line.replace(/^import\s+/, '')}`);
  const end = importLines.findIndex((line) => line.trim() === '');
  const firstGroup = end < 0 ? importLines : importLines.slice(0, end);
  const linesBehind = end < 0 ? [] : importLines.slice(end);
  const pathIn = (line: string) => /"([^"]+)"/.exec(line)?.[1] ?? '';
  const sortedGroup = [...firstGroup];
  for (const path of missingImports) {
    const index = sortedGroup.findIndex((line) => pathIn(line) > path);
    sortedGroup.splice(index < 0 ? sortedGroup.length : index, 0, `\t${JSON.stringify(path)}`);
  }
  return { from, to, lines: [IMPORT_BLOCK_LINE, ...sortedGroup, ...linesBehind, ')'] };
}
