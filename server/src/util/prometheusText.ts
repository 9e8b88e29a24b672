// Formats metrics in the text format of Prometheus (version 0.0.4).

/** The content type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric. `samples`: empty if it was not measured. */
export interface PrometheusMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** The metrics as text; metrics without a sample are skipped. */
export function prometheusText(metrics: readonly PrometheusMetric[]): string {
  return metrics.map(formatMetric).join('');
}

/** The lines of a metric; '' if it has no sample. */
function formatMetric({ name, type, help, samples }: PrometheusMetric): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** The labels in braces. Their values are words of this program, so nothing has to be escaped. */
function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
