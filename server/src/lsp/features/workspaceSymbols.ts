// Provides workspace symbols: finds functions, classes and so on by name, in all languages of the index.

import { SymbolKind, type SymbolInformation, type WorkspaceSymbolParams } from 'vscode-languageserver/node';
import type { SymbolInfo } from '../../core/model.ts';
import { guardRequest } from '../guardHandlers.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { toLspRange } from '../toProtocol.ts';

/** Maximum number of symbols. It is more than a person reads, and the client asks again with every typed letter. */
const MAX_SYMBOLS = 200;

const KIND_BY_SYMBOL_KIND: Readonly<Record<SymbolInfo['kind'], SymbolKind>> = {
  function: SymbolKind.Function,
  method: SymbolKind.Method,
  class: SymbolKind.Class,
  interface: SymbolKind.Interface,
  type: SymbolKind.Struct,
  enum: SymbolKind.Enum,
  variable: SymbolKind.Variable,
  module: SymbolKind.Module,
  constant: SymbolKind.Constant,
  macro: SymbolKind.Constant,
};

/** Registers the handler. Folders in which the setting `search.workspaceSymbols` is off are left out. */
export const workspaceSymbols: Feature = (context) => {
  context.connection.onWorkspaceSymbol(
    guardRequest<WorkspaceSymbolParams, SymbolInformation[]>(context.log, 'workspace/symbol', [], ({ query }) =>
      findSymbols(context, query),
    ),
  );
  return { capabilities: { workspaceSymbolProvider: true } };
};

/** The symbols that match the query, in all folders. */
async function findSymbols({ repositories }: ServerContext, query: string): Promise<SymbolInformation[]> {
  const symbolsByRepository = await Promise.all(
    repositories
      .all()
      .filter(({ settings }) => settings?.['search.workspaceSymbols'] !== false)
      .map(async (repository) =>
        (await (await repository.session()).memory.symbols(query, MAX_SYMBOLS)).map(({ path, symbol }) =>
          toSymbolInformation(repository.uriOf(path), symbol),
        ),
      ),
  );
  return symbolsByRepository.flat().slice(0, MAX_SYMBOLS);
}

function toSymbolInformation(uri: string, { name, path, kind, nameRange }: SymbolInfo): SymbolInformation {
  const container = path.endsWith(`.${name}`) ? path.slice(0, -name.length - 1) : '';
  return {
    name,
    kind: KIND_BY_SYMBOL_KIND[kind],
    location: { uri, range: toLspRange(nameRange) },
    ...(container === '' ? {} : { containerName: container }),
  };
}
