// Calls code in which no expressions are observed. This is needed because observation changes some texts: messages of
// the engine, which quote the code, and the text of a function.

import type { AnswerPair, Pair } from '../confirmDifference.ts';
import type { Call } from '../messages.ts';
import { CALL_MS, type SideAnswer } from '../sideProcesses.ts';
import { OBSERVER } from './observedCode.ts';

/** The processes of both sides without observed expressions. They start when they are first asked. */
export interface PlainSides {
  /**
   * The answers to a call after the calls of `history`, each of which is made only once. Null if a side does not answer
   * before `until`. `target`: index of the target.
   */
  ask(target: number, history: readonly Call[], call: Call, until: number): Promise<AnswerPair | null>;
  /** Ends the processes. The next call starts new ones. */
  end(): void;
}

/** True if the answer contains the name of the observer, so that it may depend on the observation. */
export function mentionsObserver(answer: SideAnswer): boolean {
  return 'outcome' in answer && JSON.stringify(answer.outcome).includes(OBSERVER);
}

/** True if the answer shows that code ran where its expressions cannot note their values. */
export function ranWithoutObserver(answer: SideAnswer): boolean {
  return 'outcome' in answer && JSON.stringify(answer.outcome).includes(`${OBSERVER} is not defined`);
}

/** Creates the sides, whose processes start at the first call. `openPair`: starts them; null if there is no time. */
export function createPlainSides(openPair: () => Promise<Pair | null>): PlainSides {
  let pair: Pair | null = null;
  let madeCalls = { target: -1, count: 0 };
  return { ask, end };

  async function ask(target: number, history: readonly Call[], call: Call, until: number): Promise<AnswerPair | null> {
    if (madeCalls.target !== target) madeCalls = { target, count: 0 };
    const calls = [...history.slice(madeCalls.count), ...(history.at(-1) === call ? [] : [call])];
    madeCalls.count = history.length;
    // The call is the last one of the history, and was already made, so it is made again.
    if (calls.length === 0) calls.push(call);
    pair ??= await openPair();
    let answers: AnswerPair | null = null;
    for (const nextCall of calls) {
      const millis = Math.min(CALL_MS, until - performance.now());
      if (!pair || millis <= 0) return null;
      const [oldAnswer, newAnswer] = await Promise.all([
        pair.oldSide.ask(target, nextCall, millis),
        pair.newSide.ask(target, nextCall, millis),
      ]);
      answers = { oldAnswer, newAnswer };
      if ('outcome' in oldAnswer && 'outcome' in newAnswer) continue;
      end();
      return null;
    }
    return answers;
  }

  function end(): void {
    pair?.oldSide.end();
    pair?.newSide.end();
    pair = null;
    madeCalls = { target: -1, count: 0 };
  }
}
