// Detects files on another computer. SQLite's locks and WAL are reliable only when all programs that use a file run on one computer.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Network file systems by their names on Linux and macOS. */
const NETWORK: Readonly<Record<string, string>> = {
  nfs: 'NFS', nfs4: 'NFS', cifs: 'SMB', smb3: 'SMB', smbfs: 'SMB', afpfs: 'AFP', webdav: 'WebDAV', '9p': '9P',
  afs: 'AFS', ceph: 'Ceph', 'fuse.sshfs': 'SSHFS', 'fuse.rclone': 'rclone', 'fuse.davfs': 'WebDAV', 'fuse.s3fs': 'S3',
  'fuse.glusterfs': 'GlusterFS', 'fuse.gvfsd-fuse': 'GVfs',
}; // prettier-ignore

interface Mount {
  readonly folder: string;
  readonly type: string;
}

/** “NFS”; null for a disk of this computer, and when it is unknown. */
export function networkDriveOf(path: string, platform: NodeJS.Platform = process.platform): string | null {
  try {
    if (platform === 'win32') return isShare(path) ? 'SMB' : null;
    const mounts =
      platform === 'linux'
        ? readLinuxMounts(readFileSync('/proc/self/mounts', 'utf8'))
        : readMacMounts(execFileSync('/sbin/mount', { encoding: 'utf8' }));
    return NETWORK[mountOf(path, mounts)?.type ?? ''] ?? null;
  } catch {
    return null;
  }
}

/** `\\server\share`, and not `\\?\C:`. */
export function isShare(path: string): boolean {
  return /^\\\\(?:\?\\UNC\\|[^?.\\])/.test(path);
}

/** The innermost one; of two in the same place the later hides the earlier. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | null {
  let found: Mount | null = null;
  for (const mount of mounts) {
    const within = mount.folder.endsWith('/') ? mount.folder : `${mount.folder}/`;
    if (path.startsWith(within) && mount.folder.length >= (found?.folder.length ?? 0)) found = mount;
  }
  return found;
}

/** `host:/shop /mnt/my\040shop nfs4 rw,relatime 0 0` */
export function readLinuxMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, folder, type] = line.split(' ');
    if (folder === undefined || type === undefined) return [];
    const plain = folder.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    return [{ folder: plain, type }];
  });
}

/** `//me@host/shop on /Volumes/my shop (smbfs, nodev, nosuid)` */
export function readMacMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const options = line.lastIndexOf(' (');
    const [, type] = /^ \((\w+)[,)]/.exec(line.slice(Math.max(0, options))) ?? [];
    const on = line.lastIndexOf(' on /', options);
    return type === undefined || on < 0 ? [] : [{ folder: line.slice(on + ' on '.length, options), type }];
  });
}
