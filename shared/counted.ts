// How a message of the engines or of the command line says how many there are. The window has the formats of its settings instead.

/** “1 row”, “2,000 rows”. */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
