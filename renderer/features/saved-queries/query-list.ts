// The list of saved queries: the results of a search, under the headings of their folders. Pure.
import type { SavedQuery } from '#shared/protocol/index.ts';

interface Folder {
  readonly name: string;
  readonly queries: readonly SavedQuery[];
}

/** Every word occurs in the name, the folder, a tag, or the text. */
export function foldersOf(queries: readonly SavedQuery[], words: string): readonly Folder[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const folders = new Map<string, SavedQuery[]>();
  for (const query of queries) {
    const text = [query.name, query.folder, ...query.tags.map((tag) => `#${tag}`), query.sql].join('\n').toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    folders.set(query.folder, [...(folders.get(query.folder) ?? []), query]);
  }
  return [...folders].map(([name, found]) => ({ name, queries: found }));
}

/** “a, b c” gives three tags, each once, without a leading #. */
export function tagsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).map((tag) => tag.replace(/^#+/, '')))].filter((tag) => tag !== '');
}

/** “ a / b/ ” is “a/b”. */
export const folderIn = (text: string): string =>
  text
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
