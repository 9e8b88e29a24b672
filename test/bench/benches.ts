// Lists all benches in the order in which they run.

import { analysis } from './analysis.ts';
import { answers } from './answers.ts';
import { connections } from './connections.ts';
import { cosqa } from './cosqa.ts';
import { crash } from './crash.ts';
import { fuzz } from './fuzz.ts';
import { gains } from './gains.ts';
import { gate } from './gate.ts';
import { guard } from './guard.ts';
import { keystroke } from './keystroke.ts';
import { kill } from './kill.ts';
import { latency } from './latency.ts';
import { learning } from './learning.ts';
import { nightKills } from './nightKills.ts';
import { noiseCourt } from './noiseCourt.ts';
import { nulls } from './nulls.ts';
import { pack } from './pack.ts';
import { packRelevance } from './packRelevance.ts';
import { quality } from './quality.ts';
import { recipesFromHistory } from './recipesFromHistory.ts';
import { repositories } from './repositories.ts';
import { rubric } from './rubric.ts';
import { sandbox } from './sandbox.ts';
import { scale } from './scale.ts';
import { secondNight } from './secondNight.ts';
import { steps } from './steps.ts';
import type { Bench } from './support/bench.ts';
import { supervision } from './supervision.ts';
import { traces } from './traces.ts';
import { update } from './update.ts';
import { verdicts } from './verdicts.ts';

export const benches: readonly Bench[] = [
  quality,
  cosqa,
  steps,
  scale,
  update,
  analysis,
  latency,
  pack,
  packRelevance,
  keystroke,
  kill,
  crash,
  nightKills,
  supervision,
  fuzz,
  gate,
  sandbox,
  nulls,
  guard,
  noiseCourt,
  repositories,
  gains,
  recipesFromHistory,
  verdicts,
  traces,
  answers,
  learning,
  secondNight,
  rubric,
  connections,
];
