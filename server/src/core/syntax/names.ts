// Names that patterns bind.

import { ts } from 'ts-morph';

export function boundIdentifiers(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundIdentifiers(element.name) : []));
}
