// Writes the texts of hovers, and the figures of code lenses: short Markdown without images or HTML, which screen
// readers read well.

import { codeSpan, joinLines, link, md, type Markdown } from '#protocol/markdown';
import type { ComplexityStep } from '../core/analysis/metrics/explain.ts';
import type { FunctionMetrics, Opportunity } from '../core/model.ts';
import { formatCount } from '../util/counted.ts';

/** Maximum number of steps in a hover. */
const MAX_STEPS = 12;

/** The figures of a function, and the steps that add to its complexity. `steps`: null if they are unknown. */
export function renderFunctionFigures(
  { name, cyclomatic, cognitive, nesting, statements, parameters, maintainability }: FunctionMetrics,
  steps: readonly ComplexityStep[] | null,
): Markdown {
  const figures = [
    `cognitive complexity ${cognitive}`,
    `cyclomatic ${cyclomatic}`,
    `nesting ${nesting}`,
    formatCount(statements, 'statement'),
    formatCount(parameters, 'parameter'),
    ...(maintainability === null ? [] : [`maintainability ${Math.round(maintainability)}`]),
  ];
  const heading = md`**${name}** (Selfware): ${figures.join(', ')}.`;
  const countedSteps = (steps ?? []).filter((step) => step.cognitive > 0 || step.cyclomatic > 0);
  if (countedSteps.length === 0) return heading;
  // If there are too many steps, those that add most are listed, in the order of the text.
  const costliestSteps = new Set(
    countedSteps.toSorted((a, b) => b.cognitive - a.cognitive || a.line - b.line).slice(0, MAX_STEPS),
  );
  const shownSteps = countedSteps.filter((step) => costliestSteps.has(step)).map(renderStep);
  const omittedCount = countedSteps.length - shownSteps.length;
  return joinLines([
    heading,
    '',
    ...shownSteps,
    ...(omittedCount > 0 ? [md`- … and ${formatCount(omittedCount, 'smaller one')}`] : []),
  ]);
}

/**
 * One line with the message of an opportunity and its rule. `page`: the address of the rule's page, to which the rule
 * links; null for none.
 */
export function renderOpportunityLine({ rule, message }: Opportunity, page: string | null): Markdown {
  return md`Selfware: ${message} (${page === null ? rule : link(rule, page)})`;
}

/**
 * An opportunity with its evidence, confidence and rank. `rankSentence`: the sentence about its rank, or ''. `page`: the
 * address of the rule's page; null for none.
 */
export function renderOpportunity(
  { rule, message, evidence, confidence, recipe }: Opportunity,
  rankSentence: string,
  page: string | null,
): Markdown {
  const figures = Object.entries(evidence).map(([name, value]) => `${name} ${shortenText(String(value))}`);
  return joinLines([
    md`${message} (${page === null ? rule : link(rule, page)})`,
    '',
    ...(figures.length > 0 ? [`Evidence: ${figures.join(', ')}.`] : []),
    `Confidence ${Math.round(confidence * 100)} %. ${recipe === null ? 'Only a person can do it.' : `The recipe ${recipe} can do it.`}`,
    ...(rankSentence === '' ? [] : [md`Why this rank: ${rankSentence}`]),
  ]);
}

/** The figures of a function on one line. */
export function formatFigures({ cognitive, cyclomatic, nesting, statements, parameters }: FunctionMetrics): string {
  return `cognitive ${cognitive} · cyclomatic ${cyclomatic} · nesting ${nesting} · ${formatCount(statements, 'statement')} · ${formatCount(parameters, 'parameter')}`;
}

/**
 * The page with links to other files replaced by their texts, because VS Code's preview would show such links as raw
 * text. Links to web addresses and within the page stay.
 */
export function removeFileLinks(markdown: string): string {
  return markdown.replace(/\[([^[\]]*)\]\((?![a-z]+:|#)[^()\s]+\)/g, '$1');
}

/** A step as a line such as "- line 12: `if` +3 (1, and 2 for nesting)". */
function renderStep({ line, construct, cognitive, cyclomatic, nesting }: ComplexityStep): Markdown {
  const nestingText = cognitive > 1 && nesting > 0 ? ` (1, and ${cognitive - 1} for nesting)` : '';
  const countsText =
    cognitive > 0
      ? `+${cognitive}${nestingText}${cyclomatic > 0 ? '' : ', not a branch of its own'}`
      : `+0, a branch (cyclomatic +${cyclomatic})`;
  return md`- line ${line}: ${codeSpan(construct)} ${countsText}`;
}

function shortenText(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
