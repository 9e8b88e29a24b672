// Removes or replaces an entry of a table of a package.json. All other bytes of the text stay the same.

/** Matches a token of JSON. A string may lack its end, so that texts that are not JSON are also read in linear time. */
const TOKEN_PATTERN = /"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** A member of a JSON object, with the offsets of its name, of its value, and of its end (exclusive). */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/**
 * The text without the entry. If the table would be empty, it is removed, too, as package managers do. Null if the text
 * is not a JSON object, or if the table does not have exactly one such entry.
 */
export function removeEntry(text: string, table: string, name: string): string | null {
  const manifest = collectMembers(text);
  const tableMember = findMember(manifest, table);
  const entries = tableMember === null ? [] : collectMembers(text, tableMember.valueStart);
  const entry = findMember(entries, name);
  if (tableMember === null || entry === null) return null;
  return entries.length > 1 ? removeMember(text, entries, entry) : removeMember(text, manifest, tableMember);
}

/**
 * The text with another string as the value of the entry. Null if the text is not a JSON object, or if the table does
 * not have exactly one such entry.
 */
export function replaceEntry(text: string, table: string, name: string, value: string): string | null {
  const tableMember = findMember(collectMembers(text), table);
  const entry = tableMember && findMember(collectMembers(text, tableMember.valueStart), name);
  return entry && text.slice(0, entry.valueStart) + JSON.stringify(value) + text.slice(entry.end);
}

/** The tables of the manifest that have exactly one entry of this name. */
export function findTablesWithEntry(text: string, name: string, tables: readonly string[]): string[] {
  const manifest = collectMembers(text);
  return tables.filter((table) => {
    const member = findMember(manifest, table);
    return member !== null && findMember(collectMembers(text, member.valueStart), name) !== null;
  });
}

/**
 * The members of the object that starts at the offset; empty if no object starts there, and incomplete if it does not
 * end.
 */
function collectMembers(text: string, from = 0): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let [start, valueStart, end] = [-1, -1, from];
  for (const { 0: token, index } of text.slice(from).matchAll(TOKEN_PATTERN)) {
    const tokenOffset = from + index;
    const closes = token === '}' || token === ']';
    if (depth === 0 && token !== '{') return [];
    if (depth === 1 && start >= 0 && (closes || token === ',')) {
      members.push({
        name: String(JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(text.slice(start))![0])),
        start,
        valueStart,
        end,
      });
      [start, valueStart] = [-1, -1];
    } else if (depth === 1 && token !== ':' && !closes) {
      if (start < 0) start = tokenOffset;
      else if (valueStart < 0) valueStart = tokenOffset;
    }
    if (closes) depth -= 1;
    else if (token === '{' || token === '[') depth += 1;
    if (depth === 0) return members;
    end = tokenOffset + token.length;
  }
  return members;
}

/** The only member of this name; null if there is none, or more than one. */
function findMember(members: readonly Member[], name: string): Member | null {
  const matches = members.filter((member) => member.name === name);
  return matches.length === 1 ? matches[0]! : null;
}

/** The text without a member and one comma: the comma after it, or before it if it is the last member. */
function removeMember(text: string, members: readonly Member[], member: Member): string {
  const index = members.indexOf(member);
  const [previous, next] = [members[index - 1], members[index + 1]];
  const from = next ? member.start : previous ? previous.end : text.lastIndexOf('{', member.start) + 1;
  return text.slice(0, from) + text.slice(next ? next.start : member.end);
}
