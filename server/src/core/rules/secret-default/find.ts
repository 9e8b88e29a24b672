// secret-default: finds secrets from the environment or from settings that have a default in the code:
// `process.env.SECRET || 'secret'`.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { hasAdjacentComment, hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.BinaryExpression, ts.SyntaxKind.ConditionalExpression, ts.SyntaxKind.BindingElement],
  find: findSecretDefault,
};

/** Matches the end of the name of a password: `DB_PASSWORD`. */
const PASSWORD_NAME = /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE)$/;
/** Matches the end of the name of a key that signs or encrypts: `JWT_SECRET`, `SECRET_KEY_BASE`. */
const SIGNING_NAME =
  /(?:^|_)(?:SECRET|SECRET_(?:ACCESS_)?KEY|SECRET_KEY_BASE|(?:PRIVATE|SIGNING|ENCRYPTION|SESSION|JWT)_KEY)$/;
/** Matches names that settings also use for the name of a storage slot, or for a keyboard shortcut. */
const SLOT_OR_SHORTCUT = /(?:^|_)(?:SESSION|ACCESS)_KEY$/;
/** Matches the end of the name of a credential that a service gives to its users: `API_KEY`, `AUTH_TOKEN`. */
const CREDENTIAL_NAME = /(?:^|_)(?:API_?KEY|ACCESS_KEY|AUTH_KEY|TOKEN)$/;
/** Matches names of keys that everybody may see, because a bundler writes them into pages. */
const PUBLIC_NAME = /(?:^|_)(?:PUBLIC|PUBLISHABLE|REACT_APP|VITE)(?:_|$)/;

/** Matches values that switch something on or off, or that state that there is none. */
const SWITCH_VALUE =
  /^(?:true|false|yes|no|on|off|null|nil|none|undefined|unset|enabled?|disabled?|required|optional|n\/a)$/i;
/** Matches names of modes, and of places in which secrets are stored. A secret is unlikely to be such a word. */
const MODE_OR_BACKEND =
  /^(?:auto|default|strict|lax|manual|static|random|rotat\w*|daily|weekly|env(?:ironment)?|file|local|memory|redis|vault|aws|gcp|azure|kms|keychain|header|cookie|query|bearer|basic|jwt|oauth2?|hmac|sha\d+|rsa|[hre]s\d{3})$/i;
/**
 * Matches a key that is visibly not a real credential, such as `your-key` or `dummy`: a service refuses it, or does not
 * check it.
 */
const PLACEHOLDER_CREDENTIAL =
  /^(?:<.*|\[.*|\{.*|x{3,}|ollama|lm-studio)$|(?:^|[^a-z])(?:your|dummy|fake|mock|stub|sample|example|test|demo|dev|empty|missing|placeholder|unused|not|no|need\w*|change|replace|set|add|insert|enter|here|anything)(?:[^a-z]|$)/i;

/** Matches names of variables that contain the settings of a program. */
const SETTINGS_NAME = /^(?:env|conf|cfg|config|configuration|settings|options|opts|argv|secrets|credentials)$/i;

/**
 * A text that is used instead of a secret. `secretRead`: the code that reads the secret. `isEnvironment`: false if it
 * is read from a settings object instead of the environment.
 */
interface Fallback {
  readonly name: string;
  readonly secretRead: ts.Node;
  readonly isEnvironment: boolean;
  readonly value: ts.Expression;
}

/**
 * Reports a text that is used if a secret is not set. `node` is a binary expression, a conditional one, or an element
 * of a destructuring.
 */
function findSecretDefault(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const fallback = parseFallback(node);
  if (!fallback || !ts.isStringLiteralLike(fallback.value)) return null;
  const { name, secretRead } = fallback;
  if (!looksLikeSecret(fallback, fallback.value.text.trim()) || isExplained(node, sourceFile)) return null;
  return {
    rule: 'secret-default',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: secretRead.getStart(sourceFile),
    nameEnd: secretRead.end,
    impact: 55,
    confidence: 0.75,
    message: `where \`${name}\` is not set, everybody who reads this file knows the secret. Fail at the start instead.`,
    evidence: { variable: name },
    recipe: null,
    identity: name,
  };
}

/**
 * The parts of a fallback of the form `left || '…'`, `left ?? '…'`, `left ? left : '…'` or `{ NAME = '…' } =
 * process.env`; null for other code.
 */
function parseFallback(node: ts.Node): Fallback | null {
  if (ts.isBindingElement(node)) return parseDestructured(node);
  let left: ts.Expression;
  let right: ts.Expression;
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind !== ts.SyntaxKind.BarBarToken && kind !== ts.SyntaxKind.QuestionQuestionToken) return null;
    ({ left, right } = node);
  } else if (ts.isConditionalExpression(node)) {
    [left, right] = [node.condition, node.whenFalse];
    if (skipParentheses(node.whenTrue).getText() !== skipParentheses(left).getText()) return null;
  } else return null;
  const secretRead = skipParentheses(left) as ts.Expression;
  const [owner, name] = ts.isPropertyAccessExpression(secretRead)
    ? [secretRead.expression, secretRead.name.text]
    : ts.isElementAccessExpression(secretRead) && ts.isStringLiteral(secretRead.argumentExpression)
      ? [secretRead.expression, secretRead.argumentExpression.text]
      : [null, ''];
  const isEnvironment = owner && isEnvironmentObject(owner);
  return isEnvironment === null
    ? null
    : { name, secretRead: left, isEnvironment, value: skipParentheses(right) as ts.Expression };
}

/** The parts of a fallback in a destructuring of the environment or of settings; null for other elements. */
function parseDestructured(node: ts.BindingElement): Fallback | null {
  const declaration = node.parent.parent;
  const key = node.propertyName ?? node.name;
  if (!node.initializer || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return null;
  const isEnvironment = isEnvironmentObject(skipParentheses(declaration.initializer) as ts.Expression);
  if (isEnvironment === null || (!ts.isIdentifier(key) && !ts.isStringLiteral(key))) return null;
  return { name: key.text, secretRead: key, isEnvironment, value: skipParentheses(node.initializer) as ts.Expression };
}

/** True for the environment of the process, false for an object that is named as settings, null for anything else. */
function isEnvironmentObject(owner: ts.Expression): boolean | null {
  if (/^(?:process|import\.meta|Bun)\.env$/.test(owner.getText())) return true;
  const assertedOwner = ts.isNonNullExpression(owner) ? owner.expression : owner;
  const name = ts.isPropertyAccessExpression(assertedOwner) ? assertedOwner.name : assertedOwner;
  return ts.isIdentifier(name) && SETTINGS_NAME.test(name.text) ? false : null;
}

/**
 * True if the name ends with a word for a secret, and the value may be a secret: it is not a mode, an address or a
 * switch.
 */
function looksLikeSecret({ name, isEnvironment }: Fallback, value: string): boolean {
  const upperCaseName = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();
  if (value === '' || SWITCH_VALUE.test(value) || isAddress(value)) return false;
  // In `options.password || 'password'`, the text is the name of a field, and `'Password'` is its label.
  const isLabel = value.toUpperCase() === name.toUpperCase() || /^[A-Z][a-z]+(?: [a-z]+)*[.!:]?$/.test(value);
  if (!isEnvironment && isLabel) return false;
  if (PASSWORD_NAME.test(upperCaseName)) return !/^\d{1,3}$/.test(value);
  if (MODE_OR_BACKEND.test(value) || /^-?\d+(?:\.\d+)?\w?$/.test(value)) return false;
  if (!isEnvironment && SLOT_OR_SHORTCUT.test(upperCaseName) && !upperCaseName.includes('SECRET')) return false;
  if (SIGNING_NAME.test(upperCaseName)) return true;
  // In an object, a token is often a piece of a text.
  const isCredential = CREDENTIAL_NAME.test(upperCaseName) && (isEnvironment || !upperCaseName.endsWith('TOKEN'));
  return isCredential && !PUBLIC_NAME.test(upperCaseName) && !PLACEHOLDER_CREDENTIAL.test(value);
}

/** True for a path, a header, and an address without a password. */
function isAddress(value: string): boolean {
  return /^(?:\.{0,2}|~)\//.test(value) || /^x-/i.test(value) || /^[a-z][a-z\d+.-]*:\/\/[^/@]*(?:\/|$)/i.test(value);
}

/**
 * True if a comment, which may explain the value, is next to the expression or above the property that it belongs to.
 */
function isExplained(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  const property = ts.isPropertyAssignment(node.parent) ? node.parent : ts.isBindingElement(node) ? node : null;
  return (
    hasAdjacentComment(node, sourceFile) ||
    (property !== null && hasCommentWithin(sourceFile.text, property.pos, property.getStart(sourceFile)))
  );
}
