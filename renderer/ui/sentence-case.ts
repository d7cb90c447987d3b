// The title of a command as a menu in the window shows it.

/** “Copy with headers”: only the menus of the application have title case. NULL and SQLite stay as they are. */
export const sentenceCase = (title: string): string =>
  title.replace(/(?<= )[A-Z](?=[a-z]*(?:[ …]|$))/g, (letter) => letter.toLowerCase());
