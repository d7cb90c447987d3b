// Folders and files of the origin's private file system that belong to what is measured.

/** Does nothing if it does not exist, or if something in it is still held: the next start uses it again. */
export async function removeOpfsFolder(path: string): Promise<void> {
  await remove(path).catch(() => undefined); // only space is lost
}

/** Does nothing if it does not exist. */
export async function removeOpfsFile(path: string): Promise<void> {
  await remove(path).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
  });
}

async function remove(path: string): Promise<void> {
  const names = path.split('/').filter((name) => name !== '');
  const last = names.pop()!;
  let folder = await navigator.storage.getDirectory();
  for (const name of names) folder = await folder.getDirectoryHandle(name);
  await folder.removeEntry(last, { recursive: true });
}
