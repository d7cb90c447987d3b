// Bytes as PostgreSQL writes them (postgresql.org/docs/current/datatype-binary.html): `\x00ff`, or text with `\000` and `\\`.

/** One character for each byte. @param text made of bytes */
export function bytesOfBytea(text: string): string {
  if (text.startsWith('\\x') && text.length % 2 === 0 && !/[^\da-f]/i.test(text.slice(2))) {
    const codes: string[] = [];
    for (let at = 2; at < text.length; at += 2)
      codes.push(String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16)));
    return codes.join('');
  }
  return text.replace(/\\(?:\\|([0-3][0-7]{2}))/g, (_, octal: string | undefined) =>
    octal === undefined ? '\\' : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
