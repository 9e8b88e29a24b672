// Learns what a repository's maintainers keep doing: small edits that several commits repeat become a pattern with
// holes.

import type { SmallEdit } from './smallEdits.ts';
import { isHole, match, parseTerm, type Pattern, type Term } from './term.ts';

export interface LearnedPattern {
  readonly before: Pattern;
  readonly after: Pattern;
  readonly isExpression: boolean;
  /** As an example shows it, holes named `α`, `β` …. */
  readonly shown: { readonly before: string; readonly after: string };
  readonly commits: readonly string[];
  readonly edits: number;
  /** Of the commits: what the others teach makes of this one's old code exactly what this one did. */
  readonly held: number;
}

interface Example {
  readonly edit: SmallEdit;
  readonly before: Term;
  readonly after: Term;
}

/** Fewer are a coincidence. */
const FEWEST_COMMITS = 3;
const MOST_HOLES = 4;
/** Of the commits, for the rest of which a pattern must hold. */
const HOLDS = 1;
/** A change that was also made the other way round is taste. */
const MOST_REVERSED = 0;
const NAMES = ['α', 'β', 'γ', 'δ'];

/** The patterns that stand the test, those of most commits first. Pure. */
export function learnPatterns(edits: readonly SmallEdit[]): LearnedPattern[] {
  const examples = edits.flatMap((edit): Example[] => {
    const [before, after] = [parseTerm(edit.before, edit.isExpression), parseTerm(edit.after, edit.isExpression)];
    return before && after && before.key !== after.key ? [{ edit, before, after }] : [];
  });
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const key = keyOf(example);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), example]);
  }
  return [...groups.values()]
    .flatMap((group) => patternOf(group, examples) ?? [])
    .sort((one, other) => other.commits.length - one.commits.length || other.edits - one.edits);
}

function patternOf(group: readonly Example[], all: readonly Example[]): LearnedPattern | null {
  const commits = [...new Set(group.map(({ edit }) => edit.commit))];
  if (commits.length < FEWEST_COMMITS || new Set(group.map(({ edit }) => edit.path)).size < 2) return null;
  const pattern = generalise(group);
  if (!pattern) return null;
  const held = commits.filter((commit) => {
    const others = generalise(group.filter(({ edit }) => edit.commit !== commit));
    return others !== null && group.every((example) => example.edit.commit !== commit || makes(others, example));
  }).length;
  if (held < commits.length * HOLDS) return null;
  const reversed = all.filter((example) => makes({ before: pattern.after, after: pattern.before }, example)).length;
  if (reversed > MOST_REVERSED) return null;
  const [example] = group;
  return {
    ...pattern,
    isExpression: example!.edit.isExpression,
    shown: {
      before: shownAs(pattern.before, example!.before, example!.edit.before, example!.edit.isExpression),
      after: shownAs(pattern.after, example!.after, example!.edit.after, example!.edit.isExpression),
    },
    commits,
    edits: group.length,
    held,
  };
}

/** What goes and what comes, as tokens; null where only names, texts and numbers differ: that is content, not habit. */
function keyOf({ before, after }: Example): string | null {
  const [gone, come] = [tokensOf(before), tokensOf(after)];
  for (const [token, count] of gone) {
    const both = Math.min(count, come.get(token) ?? 0);
    gone.set(token, count - both);
    come.set(token, (come.get(token) ?? 0) - both);
  }
  const left = (side: Map<string, number>) =>
    [...side].filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1));
  const [removed, added] = [left(gone), left(come)];
  if (removed.length + added.length === 0 || [...removed, ...added].every(([token]) => isContent(token))) return null;
  return JSON.stringify([before.label.split(':')[0], after.label.split(':')[0], removed, added]);
}

/** Kinds of numbers, texts and template parts in the compiler's own order: 9–18. */
function isContent(token: string): boolean {
  const kind = Number(token.split(':')[0]);
  return kind >= 9 && kind <= 18;
}

function tokensOf(term: Term, counts: Map<string, number> = new Map()): Map<string, number> {
  if (term.children.length > 0) for (const child of term.children) tokensOf(child, counts);
  else if (term.tokens > 0) counts.set(term.label, (counts.get(term.label) ?? 0) + 1);
  return counts;
}

/**
 * The most special pattern that all examples are cases of. Null: too general, or the new code needs what the old one
 * does not have.
 */
function generalise(group: readonly Example[]): { readonly before: Pattern; readonly after: Pattern } | null {
  if (group.length === 0) return null;
  const holes = new Map<string, number>();
  const common = (terms: readonly Term[]): Pattern => {
    const [first] = terms;
    if (terms.every(({ label, children }) => label === first!.label && children.length === first!.children.length)) {
      return {
        label: first!.label,
        children: first!.children.map((_, index) => common(terms.map(({ children }) => children[index]!))),
      };
    }
    const key = JSON.stringify(terms.map((term) => term.key));
    if (!holes.has(key)) holes.set(key, holes.size);
    return { hole: holes.get(key)! };
  };
  const before = common(group.map((example) => example.before));
  const known = holes.size;
  const after = common(group.map((example) => example.after));
  if (holes.size > known || known > MOST_HOLES || isHole(before) || isHole(after) || concrete(before) < 2) return null;
  return { before, after };
}

function concrete(pattern: Pattern): number {
  if (isHole(pattern)) return 0;
  return pattern.children.length === 0 ? 1 : pattern.children.reduce((sum, child) => sum + concrete(child), 0);
}

function makes({ before, after }: { readonly before: Pattern; readonly after: Pattern }, example: Example): boolean {
  const bound = match(before, example.before);
  return bound !== null && match(after, example.after, bound) !== null;
}

function shownAs(pattern: Pattern, term: Term, text: string, isExpression: boolean): string {
  const offset = isExpression ? 1 : 0;
  const spans: { readonly start: number; readonly end: number; readonly name: string }[] = [];
  const visit = (part: Pattern, at: Term): void => {
    if (isHole(part))
      spans.push({ start: at.start - offset, end: at.end - offset, name: NAMES[part.hole] ?? `h${part.hole}` });
    else for (const [index, child] of part.children.entries()) visit(child, at.children[index]!);
  };
  visit(pattern, term);
  return spans
    .sort((one, other) => other.start - one.start)
    .reduce((result, { start, end, name }) => result.slice(0, start) + name + result.slice(end), text);
}
