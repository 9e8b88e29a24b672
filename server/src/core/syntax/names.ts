// Lists the names that a pattern binds.

import { ts } from 'ts-morph';

/** All identifiers that a name or a pattern binds. */
export function collectBoundIdentifiers(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? collectBoundIdentifiers(element.name) : [],
  );
}
