// Makes the section `learned` of the façade: what was learned from outcomes, and the way back.

import { strategiesOf } from '../../learn/strategies.ts';
import type { Learned } from '../../session.ts';
import { unlessDamaged, type SessionContext } from '../context.ts';
import { forget, lessons, trace } from './learning.ts';
import { trialsOf } from './trials.ts';

export function learnSection(context: SessionContext): Learned {
  return {
    lessons: () => lessons(context),
    trace: (id) => trace(context, id),
    forget: (id) => forget(context, id),
    strategies: async () => strategiesOf(await unlessDamaged(context, [], () => trialsOf(context))),
  };
}
