// Selects the problems of Ruff that are faults: code that cannot be what its author meant.

import { createWordSet } from '../../../util/wordSet.ts';
import type { PythonProblem } from '../../ports/sources.ts';
import type { Finding } from '../finding.ts';
import type { PythonFile, PythonFinder } from '../finders.ts';

/** Codes of Ruff, by what they find. */
const CODES_BY_SUBJECT = {
  'names that do not exist': ['F821', 'F822', 'F823'],
  'definitions that replace others': ['F811'],
  'formats that do not fit their values': [
    ...['F501', 'F502', 'F503', 'F504', 'F505', 'F506', 'F507', 'F508', 'F509'],
    ...['F521', 'F522', 'F523', 'F524', 'F525'],
  ],
  'comparisons and assertions that are always the same': ['F631', 'F632', 'F634', 'B015', 'PLW0129'],
  'keys, elements and handlers that occur twice': ['F601', 'B025', 'B033'],
  'statements in the wrong place': ['F701', 'F702', 'F704', 'F706', 'F707', 'B012', 'PLE0100', 'PLE0101', 'PLE0116'],
  'calls and operators that do something else': [
    'B002',
    'B003',
    'B005',
    'B016',
    'B021',
    'B029',
    'B030',
    'B032',
    'B035',
  ],
  'arguments that do not fit': ['PLE1205', 'PLE1206', 'PLE1310', 'PLE1507', 'PLE0302', 'PLE0604', 'PLE0605'],
} as const;
/** Matches the start of a block in which a comparison may be meant to fail. */
const EXPECTED_FAILURE_PATTERN = /^\s*(?:try|(?:async\s+)?with)\b/;
/** Built-in names of Python 2, which code for both versions uses in branches that Python 3 does not run. */
const OLD_NAMES: ReadonlySet<string> = createWordSet(`
  apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr unicode xrange
`);
/** Matches code that asks whether a built-in name exists, or for the version of Python. */
const NAME_TEST_PATTERN = /\b(?:NameError|builtins|version_info)\b/;
/** Matches the start of a function or a class. */
const DEFINITION_PATTERN = /^\s*(?:async\s+)?(?:def|class)\b/;
/** By code: the sentence that a person reads. `$1` is the first name in Ruff's own sentence. */
const SENTENCES: Readonly<Record<string, string>> = {
  B015: 'the comparison has no effect: an `assert` or an assignment is missing.',
  F601: '`$1` is there twice as a key, and only the last value counts.',
  F811: '`$1` is defined again, so the earlier definition cannot be reached.',
  F821: '`$1` does not exist.',
};

export const finder: PythonFinder = { codes: Object.values(CODES_BY_SUBJECT).flat(), find: findFaults };

function findFaults(problems: readonly PythonProblem[], file: PythonFile): readonly Finding[] {
  return problems.flatMap((problem) => {
    const { code, message, start, end } = problem;
    const [, firstName = ''] = /`([^`]+)`/.exec(message) ?? [];
    if (isIntended(problem, firstName, file)) return [];
    const sentence = SENTENCES[code]?.replace('$1', () => firstName);
    return [
      {
        rule: 'python-fault',
        start,
        end,
        nameStart: start,
        nameEnd: end,
        impact: 45,
        confidence: 0.7,
        message: sentence ?? decapitalise(message),
        evidence: { code },
        recipe: null,
      },
    ];
  });
}

/** True if the author may have meant the code. `firstName`: the first name in Ruff's sentence. */
function isIntended(problem: PythonProblem, firstName: string, file: PythonFile): boolean {
  switch (problem.code) {
    case 'B015':
      return isMeantAlone(problem.start, file);
    case 'F601':
      // Tests of keys that are equal, such as `True` and `1`, write them twice.
      return !/^["']/.test(firstName);
    case 'F811':
      return !replacesPlainDefinition(problem, file);
    case 'F821':
      return OLD_NAMES.has(firstName) || NAME_TEST_PATTERN.test(file.text);
    case 'F822':
      // `__init__.py` may load its names on demand, and submodules count.
      return file.path.endsWith('__init__.py');
    default:
      return false;
  }
}

/** Ruff's sentence with a small first letter, because the place is put before it, and with a full stop. */
function decapitalise(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}${/[.?]$/.test(message) ? '' : '.'}`;
}

/**
 * True if a function or a class replaces one that nothing used. Decorated ones are left alone, because a decorator may
 * register the function.
 */
function replacesPlainDefinition({ message, start }: PythonProblem, { lines, lineIndexAt }: PythonFile): boolean {
  const earlierLine = Number(/from line (\d+)/.exec(message)?.[1] ?? 0);
  return [earlierLine - 1, lineIndexAt(start)].every(
    (index) => DEFINITION_PATTERN.test(lines[index] ?? '') && !/^\s*@|[)\]}]\s*$/.test(lines[index - 1] ?? ''),
  );
}

/**
 * True if a comparison without effect may be intended: it may raise the error that the block around it expects, or it is
 * one of several statements on a line, as in tests of operators.
 */
function isMeantAlone(start: number, { lines, lineIndexAt }: PythonFile): boolean {
  const index = lineIndexAt(start);
  const line = lines[index] ?? '';
  if (line.includes(';')) return true;
  const indent = line.search(/\S/);
  const outerLine = lines.slice(0, index).findLast((earlier) => earlier.trim() !== '' && earlier.search(/\S/) < indent);
  return EXPECTED_FAILURE_PATTERN.test(outerLine ?? '');
}
