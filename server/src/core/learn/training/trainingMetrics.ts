// Formats figures about the training of models for Prometheus.

import type { TrainingState } from '../../model/trainings.ts';
import { prometheusText, type PrometheusMetric } from '../../../util/prometheusText.ts';

/** All figures in Prometheus's text format. A figure that was not measured has no sample. */
export function formatTrainingMetrics(state: TrainingState): string {
  const { trainingRuns: runs } = state;
  const count = (outcome: string) => runs.filter((run) => run.outcome === outcome).length;
  return prometheusText([
    {
      name: 'genesis_improvement_cycles_total',
      type: 'counter',
      help: 'Trainings that were begun.',
      samples: [{ value: runs.length }],
    },
    {
      name: 'genesis_improvements_deployed_total',
      type: 'counter',
      help: 'Trained models that were deployed.',
      samples: [{ value: count('deployed') }],
    },
    {
      name: 'genesis_improvements_rejected_total',
      type: 'counter',
      help: 'Trained models that were not better.',
      samples: [{ value: count('rejected') }],
    },
    ...collectModelMetrics(state),
  ]);
}

/** The figures of the model in use, which the endpoint of a night offers as well. */
export function collectModelMetrics({
  currentAccuracy,
  learningsSinceTraining,
}: TrainingState): readonly PrometheusMetric[] {
  return [
    {
      name: 'genesis_current_model_accuracy',
      type: 'gauge',
      help: 'Success rate of the model in use on the held-out examples.',
      samples: currentAccuracy === null ? [] : [{ value: currentAccuracy }],
    },
    {
      name: 'genesis_learnings_since_training',
      type: 'gauge',
      help: 'Learnings since the last training.',
      samples: [{ value: learningsSinceTraining }],
    },
  ];
}
