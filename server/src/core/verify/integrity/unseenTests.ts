// Excludes tests that no person has seen. Otherwise, an author could get any change accepted with its own tests.

import { formatCount, type GateAnswer } from '../answer.ts';
import type { Gate, GateInput } from '../gate.ts';
import type { FileEdit } from '../../model.ts';

/** Wraps a gate so that it runs without unseen tests. If there are none, the gate runs unchanged. */
export function excludeUnseenTests(gate: Gate): Gate {
  return async (run, signal) => {
    const unseenEdits = (await run.context.unseenTests?.(run.proposal)) ?? [];
    if (unseenEdits.length === 0) return gate(run, signal);
    const newFiles = new Set(unseenEdits.flatMap(({ path, before }) => (before === null ? [path] : [])));
    const reachingTests: GateInput['context']['reachingTests'] = async (paths) =>
      (await run.context.reachingTests(paths))?.filter((path) => !newFiles.has(path)) ?? null;
    const answer = await run.without(unseenEdits, () =>
      gate({ ...run, context: { ...run.context, reachingTests } }, signal),
    );
    return addNote(answer, unseenEdits);
  };
}

function addNote(answer: GateAnswer, unseenEdits: readonly FileEdit[]): GateAnswer {
  const reason = `${answer.reason} Tests in ${formatCount(unseenEdits.length, 'file')} do not count, because no person has seen them and they are by the same author or of the same run.`;
  return {
    ...answer,
    reason,
    evidence: { ...answer.evidence, unseenTests: unseenEdits.map(({ path }) => path).join('\n') },
  };
}
