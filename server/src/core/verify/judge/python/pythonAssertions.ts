// Finds assertions in Python tests that newly demand less: a comparison with a value became a check for truth.

import type { FoundChange } from '../foundChange.ts';
import {
  splitAt,
  splitTestStatements,
  trimExpression,
  removeBrackets,
  type PythonCode,
  type PythonStatement,
} from './pythonStatements.ts';
import { subtractByKey } from '../../../../util/values/countBy.ts';

/** A test file before and after a change. `path`: the old path if the file was renamed. */
export interface PythonTestFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The strictness of an assertion: exactly one value, hardly anything, or something in between. */
type Strictness = 'value' | 'little' | 'other';

/** One demand of a test. An assertion with `and` makes several. */
interface Demand {
  /** The original code of the whole assertion, on one line. */
  readonly text: string;
  readonly line: number;
  readonly test: string;
  readonly strictness: Strictness;
  /** The expression whose value is checked, without differences of layout. */
  readonly subject: string;
  /** The value that the subject is compared with; empty if there is none. */
  readonly value: string;
}

type ComparedDemand = Pick<Demand, 'strictness' | 'subject' | 'value'>;

/** Matches methods of unittest that demand one value. */
const EQUAL_PATTERN = /^assert(?:Equals?|(?:List|Tuple|Set|Dict|Sequence|MultiLine|Count)Equal|Is|AlmostEquals?)$/;
/** Matches methods of unittest that hardly demand anything of their first argument. */
const WEAK_METHOD_PATTERN = /^assert(?:True|_|IsNotNone|IsInstance)$/;
/** Matches methods of unittest which require that a value differs from another value. */
const DIFFER_PATTERN = /^assert(?:NotEquals?|IsNot)$/;
/** Matches values that a check for truth or for a type demands as well, or almost. */
const TRUTH_VALUE_PATTERN =
  /^(?:True|False|None|\[\]|\{\}|\(\)|[rbuf]{0,2}(?:''|'''''')|0(?:\.0*)?|(?:set|list|dict|tuple|frozenset|str|bytes|int|float|Counter|OrderedDict)\(\)|(?:np|numpy)\.(?:True_|False_)|(?:type|bool|isinstance|issubclass|hasattr|callable|all|any|not)\b.*)$/;
/** Matches the name of a class. A check by `isinstance` can replace a comparison with it. */
const CLASS_PATTERN = /^(?:\w+\.)*[A-Z]\w*[a-z]\w*$/;
/** Matches constants. */
const CONSTANT_PATTERN = /^(?:-?\d[\w.]*|[rbuf]{0,2}'[^']*'|True|False|None)$/;
/** Matches a name, an attribute, an element or a call. */
const BARE_PATTERN = /^(?:await )?[\p{L}_][\p{L}\p{N}_.]*(?:[([]§*[)\]](?:\.[\p{L}\p{N}_]+)*)*$/u;
/** Matches operators which show that a comparison is not the whole expression. */
const COMPOUND_PATTERN = /\b(?:and|or|not|if|else|lambda|for|in)\b|[<>]|!=|:=/;
/** Matches operators whose result is a truth value. */
const TRUTH_OPERATOR_PATTERN = /==|\b(?:is|in|and|or|not)\b|[<>]|!=/;
/** Matches names, except of called functions. An attribute of the test is a name. */
const NAME_PATTERN = /(?:\b(?:self|cls)\.)?[\p{L}_][\p{L}\p{N}_]*(?![\p{L}\p{N}_(])/gu;
/** Matches the call of a method of unittest. */
const UNITTEST_METHOD_PATTERN = /^(?:with )?(?:self|cls)\.(assert\w+)\(/;

/**
 * The assertions on a value that now demand hardly anything of the same expression in the same test, at most one for
 * each expression. Demands in another test, in another form or under another name are not reported.
 */
export function findLoosened(files: readonly PythonTestFile[]): readonly FoundChange[] {
  const sides = files.map(({ path, before, after }) => ({
    path,
    olds: collectDemands(before),
    currents: collectDemands(after),
  }));
  const gainedDemands = sides.flatMap(({ olds, currents }) => subtractDemands(currents, olds));
  return sides.flatMap(({ path, olds, currents }) => {
    const lostDemands = subtractDemands(olds, currents).filter(({ strictness }) => strictness === 'value');
    const changeByKey = new Map<string, FoundChange>();
    for (const old of lostDemands) {
      const key = JSON.stringify([old.test, old.subject]);
      const current = changeByKey.has(key) ? null : findLooserForm(old, olds, currents);
      if (!current || gainedDemands.some((candidate) => mayReplace(old, candidate))) continue;
      changeByKey.set(key, { kind: 'loosened', path, line: old.line, test: '', before: old.text, after: current.text });
    }
    return [...changeByKey.values()];
  });
}

/**
 * The new assertion that demands little of the expression that the old one compared. Null unless the test has fewer
 * comparisons of the expression than before, and more assertions that demand little of it.
 */
function findLooserForm(old: Demand, olds: readonly Demand[], currents: readonly Demand[]): Demand | null {
  const selectAlike = (side: readonly Demand[], strictness: Strictness) =>
    side.filter(
      (demand) => demand.test === old.test && demand.subject === old.subject && demand.strictness === strictness,
    );
  if (selectAlike(currents, 'value').length >= selectAlike(olds, 'value').length) return null;
  const before = selectAlike(olds, 'little');
  const current = subtractDemands(selectAlike(currents, 'little'), before)[0];
  if (!current || selectAlike(currents, 'little').length <= before.length) return null;
  // `x == 5` that became `x != 5` makes another demand, not a weaker one.
  return current.value === old.value && old.value !== '' ? null : current;
}

/**
 * True if a new assertion may replace an old one: the same in another place, or a stricter one about the same value.
 */
function mayReplace(old: Demand, current: Demand): boolean {
  if (current.strictness === 'little') return false;
  // A test of both truth values may have become two tests.
  if (current.subject === `not ${old.subject}`) return true;
  if (current.value === old.value && current.subject === old.subject) return true;
  if (current.test !== old.test) return false;
  const newText = `${current.subject} ${current.value}`;
  const name = new RegExp(NAME_PATTERN, 'uy').exec(old.subject.replace(/^await /, ''))?.[0];
  return newText.includes(old.subject) || (newText.match(NAME_PATTERN) ?? []).some((word) => word === name);
}

/**
 * The demands of `side` without those of `otherSide`, compared by test, subject, value and strictness. Each demand of
 * `otherSide` removes one equal demand.
 */
function subtractDemands(side: readonly Demand[], otherSide: readonly Demand[]): readonly Demand[] {
  return subtractByKey(side, otherSide, ({ test, subject, value, strictness }) =>
    JSON.stringify([test, subject, value, strictness]),
  );
}

/** The demands of the tests in a text. Demands that any code meets, such as `1 == 1`, are skipped. */
function collectDemands(text: string): readonly Demand[] {
  const statements = splitTestStatements(text);
  return statements.flatMap((statement, index) =>
    listDemandsOfStatement(statement, statements[index + 1]).map((demand) => ({
      ...demand,
      text: statement.shown,
      line: statement.line,
      test: statement.test,
    })),
  );
}

/** The demands of a statement; empty if it is not an assertion. `next`: the statement after it. */
function listDemandsOfStatement(
  statement: PythonStatement,
  next: PythonStatement | undefined,
): readonly ComparedDemand[] {
  if (/^assert\b/.test(statement.code)) {
    const [condition] = splitAt({ text: statement.text.slice(6), code: statement.code.slice(6) }, /,/);
    return collectDemandsOfCondition(condition!);
  }
  const [, method] = UNITTEST_METHOD_PATTERN.exec(statement.code) ?? [];
  if (method === undefined) return [];
  const open = statement.code.indexOf('(');
  const close = open + removeBrackets(statement.code.slice(open)).indexOf(')');
  if (close < open) return [];
  const inner = { text: statement.text.slice(open + 1, close), code: statement.code.slice(open + 1, close) };
  const args = splitAt(inner, /,/).filter(({ code }) => code !== '');
  const [first, second] = args;
  if (!first) return [];
  if (/^assertRaises(?:Regexp?)?$/.test(method)) {
    const textAfter = statement.text.slice(close + 1);
    // If the error has a name, later statements may check its message.
    if (/^ as\b/.test(textAfter)) return [];
    const isExact = method !== 'assertRaises';
    const calledArguments = args.slice(isExact ? 2 : 1).map((argument) => argument.text);
    const subject = [
      'raises',
      first.text,
      ...calledArguments,
      textAfter,
      args.length > (isExact ? 2 : 1) ? '' : (next?.text ?? ''),
    ];
    return [
      { strictness: isExact ? 'value' : 'little', subject: subject.join(' '), value: isExact ? second!.text : '' },
    ];
  }
  if (method === 'assertTrue' || method === 'assert_') return collectDemandsOfCondition(first);
  if (WEAK_METHOD_PATTERN.test(method)) return createWeakDemand(first);
  if (second && DIFFER_PATTERN.test(method)) return createWeakDemand(first, second.text);
  if (second && EQUAL_PATTERN.test(method)) return createEqualityDemand(first, second);
  return [{ strictness: 'other', subject: first.text, value: second?.text ?? '' }];
}

/** The demands of an assertion of a condition. */
function collectDemandsOfCondition(condition: PythonCode): readonly ComparedDemand[] {
  const flat = removeBrackets(condition.code);
  const otherDemand: readonly ComparedDemand[] = [{ strictness: 'other', subject: condition.text, value: '' }];
  if (/\b(?:if|else|lambda|for)\b|:=/.test(flat)) return otherDemand;
  const choices = splitAt(condition, /\bor\b/);
  if (choices.length > 1)
    // `… or True` makes the other operands meaningless.
    return choices.some(isTrue)
      ? choices
          .flatMap(collectDemandsOfCondition)
          .map((demand): ComparedDemand => ({ ...demand, strictness: 'little', value: '' }))
      : otherDemand;
  const parts = splitAt(condition, /\band\b/);
  if (parts.length > 1) return parts.flatMap(collectDemandsOfCondition);
  const [left, different] = splitAt(condition, /\bis not\b|!=/);
  if (left && different) return createWeakDemand(left, different.text);
  const sides = splitAt(condition, /==|\bis\b/);
  if (sides.length === 2 && !COMPOUND_PATTERN.test(flat)) return createEqualityDemand(sides[0]!, sides[1]!);
  if (!BARE_PATTERN.test(flat)) return otherDemand;
  if (!/^isinstance\(§*\)$/.test(flat)) return createWeakDemand(condition);
  const args = { text: condition.text.slice(11, -1), code: condition.code.slice(11, -1) };
  return createWeakDemand(splitAt(args, /,/)[0]!);
}

/** True for a constant that is true. */
function isTrue({ text }: PythonCode): boolean {
  return CONSTANT_PATTERN.test(text) && (text === 'True' || !TRUTH_VALUE_PATTERN.test(text));
}

/**
 * A demand with the strictness `little`, or the demand that the value is not `forbiddenValue` if the expression is not
 * a name, an attribute, an element or a call. No demand for a constant.
 */
function createWeakDemand(subject: PythonCode, forbiddenValue = ''): readonly ComparedDemand[] {
  const { text, code } = trimExpression(subject);
  if (CONSTANT_PATTERN.test(text)) return [];
  const value = forbiddenValue === 'None' ? '' : forbiddenValue;
  return [{ strictness: BARE_PATTERN.test(removeBrackets(code)) ? 'little' : 'other', subject: text, value }];
}

/** The demand that two expressions are equal; none if any code meets it. */
function createEqualityDemand(a: PythonCode, b: PythonCode): readonly ComparedDemand[] {
  const [left, right] = CONSTANT_PATTERN.test(a.text) ? [b, a] : [a, b];
  if (left.text === right.text || CONSTANT_PATTERN.test(left.text)) return [];
  const isTruth =
    TRUTH_VALUE_PATTERN.test(right.text) ||
    TRUTH_VALUE_PATTERN.test(left.text) ||
    CLASS_PATTERN.test(right.text) ||
    TRUTH_OPERATOR_PATTERN.test(removeBrackets(right.code));
  return [{ strictness: isTruth ? 'other' : 'value', subject: left.text, value: right.text }];
}
