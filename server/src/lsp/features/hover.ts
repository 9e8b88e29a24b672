// Provides hovers: one line for an opportunity. With the setting `hover.details`, also its evidence and rank, and at
// the name of a function its figures. Texts are short, because other extensions add to the same hover.

import {
  MarkupKind,
  type Hover,
  type HoverParams,
  type MarkupContent,
  type Position,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FunctionMetrics, Opportunity } from '../../core/model.ts';
import type { Session } from '../../core/session.ts';
import { joinMarkdown, removeMarkup, type Markdown } from '#protocol/markdown';
import { findWordAt } from '../documentWords.ts';
import { guardRequest } from '../guardHandlers.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { renderFunctionFigures, renderOpportunityLine, renderOpportunity } from '../hoverText.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { toLspRange, findRulePage } from '../toProtocol.ts';

/**
 * Maximum number of lines from the start of a function to its name. There may be decorators and comments before the
 * name.
 */
const MAX_LINES_TO_NAME = 20;

/** Registers the handler. */
export const hover: Feature = (context) => {
  context.connection.onHover(
    guardRequest<HoverParams, Hover | null>(context.log, 'textDocument/hover', null, (params, signal) =>
      findHoverAt(context, params, signal),
    ),
  );
  return { capabilities: { hoverProvider: true } };
};

/**
 * The hover at a position; null if there is nothing to show, if hovers are switched off, or if the document is not open
 * or in no folder.
 */
async function findHoverAt(
  context: ServerContext,
  { textDocument, position }: HoverParams,
  signal: AbortSignal,
): Promise<Hover | null> {
  const document = context.documents.get(textDocument.uri);
  const place = document && context.repositories.locate(textDocument.uri);
  if (!document || !place || place.repository.settings?.['hover.enable'] === false) return null;
  const session = await rejectWhenAborted(place.repository.session(), signal);
  // A late hover is disturbing, so the results of the last analysis are used, even if a newer one is running.
  const { functions, opportunities } =
    context.live.latest(textDocument.uri) ?? (await rejectWhenAborted(context.live.analyse(textDocument.uri), signal));
  const opportunitiesAtPosition = opportunities.filter(({ nameRange }) =>
    rangeContains(toLspRange(nameRange), position),
  );
  const showsDetails = place.repository.settings?.['hover.details'] === true;
  const sections = showsDetails
    ? await Promise.all(
        opportunitiesAtPosition.map((opportunity) => describeOpportunity(context, session, opportunity)),
      )
    : opportunitiesAtPosition.map((opportunity) =>
        renderOpportunityLine(opportunity, findRulePage(context.rulesDir, opportunity.rule)),
      );
  const namedFunction = showsDetails ? findFunctionNamedAt(document, functions, position) : null;
  if (namedFunction)
    sections.push(await describeFunction(session, place.path, document.getText(), namedFunction, signal));
  if (sections.length === 0) return null;
  return {
    contents: createContents(context, joinMarkdown(sections, showsDetails ? '\n\n---\n\n' : '\n\n')),
    ...(opportunitiesAtPosition[0] ? { range: toLspRange(opportunitiesAtPosition[0].nameRange) } : {}),
  };
}

async function describeOpportunity(
  { rulesDir }: ServerContext,
  session: Session,
  opportunity: Opportunity,
): Promise<Markdown> {
  return renderOpportunity(
    opportunity,
    (await session.opportunities.explainRanks([opportunity]))[0]?.sentence ?? '',
    findRulePage(rulesDir, opportunity.rule),
  );
}

/** The figures of a function, with the steps that add to its complexity if the text still has the function there. */
async function describeFunction(
  session: Session,
  path: string,
  text: string,
  metrics: FunctionMetrics,
  signal: AbortSignal,
): Promise<Markdown> {
  const explanation = await session.texts.explain(path, text, { line: metrics.line, column: metrics.column }, signal);
  const isSame = explanation?.metrics.line === metrics.line && explanation.metrics.name === metrics.name;
  return renderFunctionFigures(metrics, isSame ? explanation.steps : null);
}

/**
 * The function whose name is at the position; null if there is no name of a function. Elsewhere in a function there are
 * no figures, because they would disturb a reader.
 */
function findFunctionNamedAt(
  document: TextDocument,
  functions: readonly FunctionMetrics[],
  position: Position,
): FunctionMetrics | null {
  const word = findWordAt(document, position);
  if (word === null) return null;
  const line = position.line + 1;
  return (
    functions.findLast(
      ({ name, line: startLine, endLine }) =>
        line >= startLine - 1 &&
        line <= Math.min(endLine, startLine + MAX_LINES_TO_NAME) &&
        (name === word || name.endsWith(`.${word}`)),
    ) ?? null
  );
}

function createContents({ abilities }: ServerContext, markdown: Markdown): MarkupContent {
  return abilities.supportsMarkdownHovers
    ? { kind: MarkupKind.Markdown, value: markdown.toString() }
    : { kind: MarkupKind.PlainText, value: removeMarkup(markdown) };
}

function rangeContains(
  { start, end }: { readonly start: Position; readonly end: Position },
  { line, character }: Position,
): boolean {
  const isAtOrAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAtOrAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
