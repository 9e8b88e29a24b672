// Decides which files a proposal may touch, which proposals need a person's approval, and which are refused.

import { findDeletedPath } from './deletedPath.ts';
import ignore from 'ignore';
import { checkLabel } from '../../protocol/plainWords.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { FileEdit, Proposal, Strength } from '../model.ts';
import { AUTHOR_LABELS, authorOf } from '../model/authors.ts';
import { FACTS_BY_CLAIM, type ClaimKind } from '../model/claims.ts';
import { NEEDS_SAME, TESTS_ONLY_ADDED } from '../model/evidence.ts';
import { REMOVE_DEPENDENCY, findRemovedDependency } from '../model/removedDependency.ts';
import { findUpdatedDependencies, NPM_LOCKS, UPDATE_DEPENDENCY } from '../model/updatedDependency.ts';
import type { GateName } from '../model/gates.ts';
import { gatesOfStages, PROOF_GATES } from '../model/gateStages.ts';
import {
  describeOverfit,
  isLikelySame,
  isProof,
  isSameInTestCalls,
  provesEquivalence,
  UNNOTICED_KEY,
} from '../model/proofs.ts';
import { changesMoreLines } from './changedLines.ts';
import { onlyAddsTestCases, meetsRequirement } from './additionalRequirement.ts';
import {
  alwaysAsks,
  asksAboutBehaviour,
  findAdditionalRequirement,
  decideApply,
  type ApplyDecision,
} from './course.ts';
import { isVendored } from '../paths/generated.ts';
import { foldName, explainUnsafePath } from './plainPath.ts';
import { builtInProtectedPaths } from './protectedPaths.ts';
import type { EffectiveLevel } from './approvalLevel.ts';
import type { Files } from '../ports/files.ts';

/** The protected file that the recipes for dependencies may edit. */
const MANIFEST_PATH = 'package.json';
/** Maximum number of changed lines at the level `moderate`; a person approves longer changes. */
const MAX_MODERATE_LINES = 100;

/**
 * Gates whose answer “unknown” is not a reason to ask: a repository may have no such tool, and either the comparison or
 * the mutants are enough as a proof.
 */
const GATES_THAT_MAY_BE_UNKNOWN: ReadonlySet<GateName> = new Set(gatesOfStages('checks', 'behaviour', 'mutants'));
const UNCHECKED_TEXT =
  'It is unchecked: no test that reaches it, no type check and no linter has shown anything about it.';
const UNCOMPARED_TEXT =
  'Its tests pass, but no comparison of old and new code shows that it keeps behaviour, and tests do not show what it leaves out.';
/** The gates that must have answered before a proposal may be applied unasked. */
const REQUIRED_GATES: readonly GateName[] = ['applies', 'charter', 'tests'];

/** Whether edits are allowed. If not: the first path that may not be edited, and the reason. */
export type CharterAnswer =
  | { readonly allowed: true; readonly resolved: readonly string[] }
  | { readonly allowed: false; readonly path: string; readonly reason: string };

/** The parts of a proposal that the charter judges. */
export type CharterSubject = Pick<
  Proposal,
  'recipe' | 'safety' | 'edits' | 'verdicts' | 'claim' | 'claimed' | 'deferredBusy' | 'author'
>;

/** The parts of an edit that are judged. Without its texts, an edit of a protected file is refused. */
export type CheckedEdit = Pick<FileEdit, 'path'> & Partial<FileEdit>;

/** The charter of one repository. */
export interface Charter {
  /**
   * Judges the path of each edit and the file to which it leads, ignoring letter case. Refuses links and other names of
   * a file. Fails closed: a path that cannot be examined is refused. `reason`: a sentence for a person that names the
   * path. `recipe`: the recipe that made the edits. The recipe that removes dependencies may edit one package.json if
   * the edit is exactly the removal of one entry (`findRemovedDependency`), and if nothing else protects the file: its
   * folder, the settings, an entry point, or copied code to which it belongs. The same holds for an update that a
   * person has asked for, of ranges and npm's lock file (`findUpdatedDependencies`). A person always decides.
   */
  check(edits: readonly CheckedEdit[], recipe?: string): Promise<CharterAnswer>;
  /**
   * The reason why a person has to decide, as a sentence for that person; null if the proposal may be applied unasked.
   * A person decides if the level is `strict`; if the change deletes a file, or removes or updates a dependency; if it
   * may fit only its tests; if the claim or the safety class requires it; if a gate has failed, is unknown although it
   * must not be, or was not tried; if the machine was too busy for a proof; if nothing has checked the change or, on a
   * branch, compared generated code; if a call is known to answer differently, except on a branch if the change is
   * meant to; if `decideApply` returns `waits` or `refused`; or, at the level `moderate`, if the change is long.
   * Unknown tests do not matter if our own recipe changes no code.
   */
  reasonToAsk(proposal: CharterSubject): string | null;
  /**
   * The reason why nobody, not even a person, may apply the proposal: its author must not make this claim. Null if it
   * is not refused.
   */
  refusal(proposal: CharterSubject): string | null;
  /** Maximum number of changes that a session may apply. */
  readonly maxChanges: number;
}

/** The settings of a charter, and its dependencies. */
export interface CharterOptions {
  readonly files: Pick<Files, 'resolve' | 'stat' | 'isCaseInsensitive'>;
  /** Ignore patterns in addition to the built-in ones, which they cannot weaken. */
  readonly protectedPaths: readonly string[];
  /** Paths of the files with which programs of the repository start, relative to the root. If absent, none is known. */
  readonly entryPoints?: readonly string[];
  readonly approval: EffectiveLevel;
  readonly maxChanges: number;
  /** The strength of verdicts. If absent, verdicts have no strength. */
  readonly strengthOf?: (verdicts: Proposal['verdicts']) => Strength | null;
  /** True for the recipes of Selfware itself, which are trusted. If absent, no recipe is trusted. */
  readonly isOurs?: (recipe: string) => boolean;
}

/** Creates the charter of one repository from its settings. */
export function createCharter(options: CharterOptions): Charter {
  const { files, approval, maxChanges, entryPoints = [], isOurs = () => false, strengthOf = () => null } = options;
  // Separate lists, so that a negated pattern in the settings (`!package.json`) cannot unprotect a built-in path.
  const builtIn = ignore({ ignorecase: true }).add([...builtInProtectedPaths]);
  const createBuiltInListExcept = (...unprotectedPaths: readonly string[]) =>
    ignore({ ignorecase: true }).add(builtInProtectedPaths.filter((path) => !unprotectedPaths.includes(path)));
  const builtInForRemoval = createBuiltInListExcept(MANIFEST_PATH);
  const builtInForUpdate = createBuiltInListExcept(MANIFEST_PATH, ...NPM_LOCKS);
  const settingsList = ignore({ ignorecase: true }).add(
    options.protectedPaths.map((pattern) => pattern.normalize('NFC')),
  );
  const entryPaths = new Set(entryPoints.map(foldName));
  const isProtected = (path: string, builtInList: typeof builtIn) =>
    [builtInList, settingsList].some((list) => list.ignores(path) || list.ignores(foldName(path))) ||
    entryPaths.has(foldName(path));
  const entryPointNote = (path: string) =>
    entryPaths.has(foldName(path)) ? ': a program of this repository starts there' : '';

  return {
    maxChanges,

    async check(edits, recipe) {
      const builtInList = edits.some(({ path, before }) => isVendored(path, before ?? ''))
        ? builtIn
        : recipe === REMOVE_DEPENDENCY && isOurs(recipe) && findRemovedDependency(edits) !== null
          ? builtInForRemoval
          : recipe === UPDATE_DEPENDENCY && findUpdatedDependencies(edits) !== null
            ? builtInForUpdate
            : builtIn;
      const resolved: string[] = [];
      const namesOfEditedFiles = new Set<string>();
      for (const { path } of edits) {
        const answer = await resolveEditedPath(path, builtInList);
        if ('reason' in answer)
          return {
            allowed: false,
            path,
            reason: `${JSON.stringify(path).slice(1, -1)} may not be changed. ${answer.reason}`,
          };
        const name = files.isCaseInsensitive ? foldName(answer.place) : answer.place;
        if (namesOfEditedFiles.has(name))
          return { allowed: false, path, reason: `${path} may not be changed. It is edited twice.` };
        namesOfEditedFiles.add(name);
        resolved.push(answer.place);
      }
      return { allowed: true, resolved };
    },

    refusal: (proposal) => (decideApplyFor(proposal) === 'refused' ? refusalText(proposal) : null),

    reasonToAsk(proposal) {
      const { recipe, edits, verdicts, claim = null, deferredBusy = 0 } = proposal;
      const decision = decideApplyFor(proposal);
      if (decision === 'refused') return refusalText(proposal);
      if (recipe === REMOVE_DEPENDENCY || recipe === UPDATE_DEPENDENCY)
        return 'It changes what is installed. A person decides about that at every level.';
      const deletedPath = findDeletedPath(edits);
      if (deletedPath !== undefined) return `It deletes ${deletedPath}. A person decides about that at every level.`;
      if (approval === 'strict') return 'A person approves every change at the level “strict”.';
      const overfitReason = describeOverfit(verdicts);
      if (overfitReason !== null) return overfitReason;
      const isOnBranch = approval === 'branch';
      const shownClaim =
        claim?.holds === true && (isOnBranch || meetsRequirement(claim.kind, verdicts)) ? claim.kind : null;
      const doubtReason =
        (isOnBranch ? explainDoubtOnBranch(proposal) : explainDoubtOfClaim(proposal, shownClaim)) ??
        explainDoubtOfSafety(proposal, shownClaim);
      if (doubtReason !== null) return doubtReason;
      const needsNoTests = isOurs(recipe) && isSameCode(verdicts, edits);
      const busyCheck = findBusyVerdict(verdicts);
      if (busyCheck)
        return `The machine was busy with other work${formatDeferrals(deferredBusy)}, and the proof of this change depends on time. ${busyCheck.reason}`;
      const notPassed = verdicts.find(
        ({ gate, outcome, ...verdict }) =>
          outcome === 'failed' ||
          (outcome === 'unknown' &&
            !GATES_THAT_MAY_BE_UNKNOWN.has(gate) &&
            !(gate === 'tests' && needsNoTests) &&
            !isOutweighed({ gate, outcome, ...verdict }, claim, shownClaim, isOnBranch)),
      );
      if (notPassed) return `The check “${checkLabel(notPassed.gate)}” did not pass it: ${notPassed.reason}`;
      const missingGate = REQUIRED_GATES.find((gate) => !verdicts.some((verdict) => verdict.gate === gate));
      if (missingGate) return `The check “${checkLabel(missingGate)}” was not tried.`;
      // The gates passed, but nothing was checked: at every level, a person decides.
      if ((strengthOf(verdicts) ?? 'unchecked') === 'unchecked') return UNCHECKED_TEXT;
      // A person decides on a call with a different result, except for a request on a branch.
      const differingCall = verdicts.flatMap(({ gate, evidence }) =>
        gate === 'differential' && typeof evidence['call'] === 'string' ? [evidence['call']] : [],
      )[0];
      const mayDiffer = isOnBranch && isMeantToDiffer(shownClaim) && !mustKeepBehaviour(verdicts);
      // The tests of a fix show what it is meant to change. Nobody has said that anything else may differ.
      const mayDifferElsewhere = mayDiffer && shownClaim !== 'fix';
      if (differingCall !== undefined && !mayDifferElsewhere)
        return `\`${differingCall}\` answers differently with it.`;
      const tracedDifference = verdicts.find(({ gate }) => gate === 'differential')?.evidence['tracedDifference'];
      if (typeof tracedDifference === 'string' && !mayDiffer) return tracedDifference;
      const unnoticedChange = verdicts.find(({ gate }) => gate === 'guard')?.evidence[UNNOTICED_KEY];
      if (typeof unnoticedChange === 'string' && mayDiffer && isGenerated(proposal))
        return `It may do more than its tests show: none of them notices this change: ${unnoticedChange}`;
      if (
        isOnBranch &&
        isGenerated(proposal) &&
        !mayDiffer &&
        claimKindOf(proposal) !== 'tests' &&
        !isCompared(verdicts)
      )
        return UNCOMPARED_TEXT;
      if (decision !== 'unasked')
        return 'The tests pass, but neither the comparison of old and new code nor mutants could show that they would notice a mistake here.';
      return approval === 'moderate' && changesMoreLines(edits, MAX_MODERATE_LINES)
        ? `It changes more than ${MAX_MODERATE_LINES} lines (level “moderate”).`
        : null;
    },
  };

  function decideApplyFor(proposal: CharterSubject): ApplyDecision {
    const { recipe, safety, verdicts } = proposal;
    return decideApply({
      claim: claimKindOf(proposal),
      strength: strengthOf(verdicts) ?? 'unchecked',
      author: authorOf(proposal),
      approval,
      onlyAdds: isOurs(recipe) && safety === 'additive',
      meetsRequirement: meetsRequirement(claimKindOf(proposal), verdicts),
    });
  }

  /**
   * The reason why the safety class requires a person; null if it does not. `shownClaim`: the claim, if its evidence
   * is enough without a person.
   */
  function explainDoubtOfSafety(proposal: CharterSubject, shownClaim: ClaimKind | null): string | null {
    const { recipe, safety } = proposal;
    const integrity = proposal.verdicts.find(isIntegrity);
    const bringsTests = approval === 'branch' && bringsOwnTests(integrity, shownClaim);
    if (safety === 'critical' && shownClaim !== 'tests' && !bringsTests)
      return integrity?.evidence['reaches'] ? integrity.reason : 'It edits tests, settings or what a build reads.';
    const mustAsk = shownClaim === null || asksAboutBehaviour(shownClaim, authorOf(proposal), approval);
    return safety === 'behaviorChanging' && !isOurs(recipe) && mustAsk
      ? `It may change what the code does, and “${recipe}” is not a recipe of Selfware's own.`
      : null;
  }

  /** True if each edited file has the same code at run time, for instance if only comments and types differ. */
  function isSameCode(verdicts: Proposal['verdicts'], edits: Proposal['edits']): boolean {
    return verdicts.some(
      ({ gate, outcome, evidence }) =>
        gate === 'differential' && outcome === 'passed' && evidence['identical'] === edits.length,
    );
  }

  /** The path of the file to which an edit leads, or the reason why the file may not be edited. */
  async function resolveEditedPath(
    path: string,
    builtInList: typeof builtIn,
  ): Promise<{ readonly place: string } | { readonly reason: string }> {
    const unsafeReason = explainUnsafePath(path);
    if (unsafeReason !== null) return { reason: unsafeReason };
    // Either the declared path or its target may be protected.
    if (isProtected(path, builtInList)) return { reason: `It is protected${entryPointNote(path)}.` };
    let resolved: Awaited<ReturnType<Files['resolve']>>;
    let nestedRepository: string | null;
    try {
      resolved = await files.resolve(path);
      if (resolved === null || resolved.path === '') return { reason: 'It leads out of the repository.' };
      nestedRepository = await findNestedRepository(resolved.path);
    } catch (error) {
      if (error instanceof SelfwareError) return { reason: `Where it leads is unknown: ${error.message}` };
      throw error;
    }
    if (isProtected(resolved.path, builtInList))
      return { reason: `It leads to ${resolved.path}, which is protected${entryPointNote(resolved.path)}.` };
    if (resolved.throughLink) return { reason: 'It leads through a symbolic link.' };
    if (resolved.path !== path) return { reason: `It is another name of ${resolved.path}.` };
    if (nestedRepository !== null) return { reason: `${nestedRepository} is a separate repository.` };
    return { place: resolved.path };
  }

  /** The outermost folder of the path that is a repository of its own; null if none is. */
  async function findNestedRepository(path: string): Promise<string | null> {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if ((await files.stat(`${folder}/.git`)) !== null) return folder;
    }
    return null;
  }
}

/**
 * True for an unknown verdict that is not a reason to ask, because other verdicts are sufficient. For `score`: the
 * claim holds, and is about types or needs no person. For `claim`: the change is a fix or, on a branch, a request, and
 * needs no person. For `integrity`: the change only adds test cases or, on a branch, is a fix or a request that leaves
 * existing tests unchanged.
 */
function isOutweighed(
  verdict: Proposal['verdicts'][number],
  claim: CharterSubject['claim'],
  shownClaim: ClaimKind | null,
  isOnBranch: boolean,
): boolean {
  const { gate, outcome } = verdict;
  if (outcome !== 'unknown') return false;
  if (gate === 'score') return claim?.holds === true && (claim.kind === 'types' || shownClaim !== null);
  if (gate === 'claim') return shownClaim === 'fix' || (isOnBranch && shownClaim === 'request');
  if (gate !== 'integrity') return false;
  return (shownClaim === 'tests' && onlyAddsTestCases(verdict)) || (isOnBranch && bringsOwnTests(verdict, shownClaim));
}

/** True if old and new code behaved the same, at least in calls of the tests or for inputs made from annotations. */
function isCompared(verdicts: Proposal['verdicts']): boolean {
  return verdicts.some((verdict) => provesEquivalence(verdict) || isSameInTestCalls(verdict) || isLikelySame(verdict));
}

/** True for a requested refactoring: it brings no test, and nothing may differ. */
function mustKeepBehaviour(verdicts: Proposal['verdicts']): boolean {
  return verdicts.some(({ gate, evidence }) => gate === 'claim' && evidence[NEEDS_SAME] !== undefined);
}

function isIntegrity({ gate }: Proposal['verdicts'][number]): boolean {
  return gate === 'integrity';
}

/** True for a fix or a request that brings test cases and leaves the existing tests unchanged. */
function bringsOwnTests(integrity: Proposal['verdicts'][number] | undefined, shownClaim: ClaimKind | null): boolean {
  return isMeantToDiffer(shownClaim) && integrity?.evidence[TESTS_ONLY_ADDED] === 1;
}

/** True for a fix or a request, which are meant to change what the code does. */
function isMeantToDiffer(shownClaim: ClaimKind | null): boolean {
  return shownClaim === 'fix' || shownClaim === 'request';
}

/** True for code of a language model, an agent or an MCP client. */
function isGenerated(proposal: CharterSubject): boolean {
  const author = authorOf(proposal);
  return author !== 'recipe' && author !== 'person';
}

/**
 * The reason why the claim requires a person at the level `branch`: it was not shown. Null if it was, or if there is no
 * claim.
 */
function explainDoubtOnBranch({ claim }: CharterSubject): string | null {
  return claim && claim.holds !== true ? `What it gains was not shown: ${claim.evidence}` : null;
}

/**
 * The reason why the claim requires a person below the level `branch`; null if there is no claim, or if it requires no
 * person. `shownClaim`: the claim, if its evidence is enough without a person.
 */
function explainDoubtOfClaim(proposal: CharterSubject, shownClaim: ClaimKind | null): string | null {
  const { claim } = proposal;
  if (!claim) return null;
  const otherGainText = `It gains something other than points (“${FACTS_BY_CLAIM[claim.kind].label}”).`;
  if (alwaysAsks(claim.kind, authorOf(proposal))) return `${otherGainText} A person decides whether that is wanted.`;
  const requirement = findAdditionalRequirement(claim.kind);
  return requirement !== null && shownClaim === null
    ? `${otherGainText} It is applied without a person only if ${requirement}.`
    : null;
}

function claimKindOf({ claim, claimed }: CharterSubject): ClaimKind {
  return claim?.kind ?? claimed ?? 'points';
}

function refusalText(proposal: CharterSubject): string {
  const { label } = FACTS_BY_CLAIM[claimKindOf(proposal)];
  return `The claim “${label}” is for recipes and linters only, and this is by ${AUTHOR_LABELS[authorOf(proposal)]}.`;
}

/**
 * A verdict that is unreliable because the machine was busy; undefined if there is none. If the comparison or the
 * mutants prove the change, unreliable verdicts of these two do not count.
 */
function findBusyVerdict(verdicts: Proposal['verdicts']): Proposal['verdicts'][number] | undefined {
  const isProven = verdicts.some(isProof);
  return verdicts.find(({ gate, evidence }) => evidence['busy'] !== undefined && !(isProven && PROOF_GATES.has(gate)));
}

function formatDeferrals(deferred: number): string {
  return deferred === 0 ? '' : deferred === 1 ? ' (it was deferred once)' : ` (it was deferred ${deferred} times)`;
}
