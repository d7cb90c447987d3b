// Names that nothing has yet.

/** `base`, or `base` with the first number from 2 on with which it is not taken. */
export function freeName(base: string, isTaken: (name: string) => boolean, separator: ' ' | '_' | ''): string {
  let name = base;
  for (let number = 2; isTaken(name); number++) name = `${base}${separator}${number}`;
  return name;
}
