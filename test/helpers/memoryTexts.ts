// The section `texts` of the small session in `memorySession.ts`: analyses of the texts of open documents.

import type { Dismissal } from '../../server/src/core/model.ts';
import type { Session } from '../../server/src/core/session.ts';
import { SelfwareError, throwIfCancelled } from '../../server/src/util/typedError.ts';
import { findFunctions, findOpportunities } from './memoryFindings.ts';
import type { MemorySessionOptions } from './memorySession.ts';

/** The parts of the session that this section uses. */
interface SessionParts {
  readonly options: MemorySessionOptions;
  readonly calls: string[];
  readonly dismissed: ReadonlyMap<string, Dismissal>;
  mustTrust(): void;
}

/** Creates the section. Each line with "poor" is an opportunity. */
export function createMemoryTexts({ options, calls, dismissed, mustTrust }: SessionParts): Session['texts'] {
  return {
    async analyse(path, text, signal) {
      calls.push(`analyse ${path} ${text.length}`);
      const fault = options.fault?.();
      if (fault) throw fault;
      throwIfCancelled(signal);
      return {
        functions: findFunctions(path, text),
        opportunities: findOpportunities(path, text).filter(({ id }) => !dismissed.has(id)),
      };
    },
    async analyseWhileTyping(path, text, signal) {
      calls.push(`glance ${path} ${text.length}`);
      const fault = options.fault?.();
      if (fault) throw fault;
      await options.onGlance?.(text);
      throwIfCancelled(signal);
      return {
        functions: findFunctions(path, text),
        opportunities:
          options.glanceFinds?.(path, text) ?? findOpportunities(path, text).filter(({ id }) => !dismissed.has(id)),
      };
    },
    explain: async (path, text, position) => {
      const metrics = findFunctions(path, text).find(({ line }) => line === position.line);
      return metrics
        ? {
            metrics,
            steps: Array.from({ length: metrics.cognitive }, (_, index) => ({
              line: metrics.line,
              column: index + 10,
              construct: '?:',
              cyclomatic: 1,
              cognitive: 1,
              nesting: 0,
            })),
          }
        : null;
    },
    async fix(path, text, signal) {
      mustTrust();
      throwIfCancelled(signal);
      if (path.startsWith('protected/')) throw new SelfwareError('forbidden', `${path} may not be changed.`);
      return { text: text.replaceAll('poor', 'rich'), fixed: findOpportunities(path, text).map(() => 'Enrich a word') };
    },
  };
}
