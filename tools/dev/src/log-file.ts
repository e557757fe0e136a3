import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const maxBytes = 50_000_000;

/** The log of a platform: `lensforge.log` in its folder. A new start, and 50 MB, move it to `lensforge.previous.log`. */
export class LogFile {
  readonly path: string;
  private file: number | undefined;
  private bytes = 0;

  constructor(private readonly folder: string) {
    this.path = join(folder, 'lensforge.log');
  }

  write(line: string): void {
    if (this.file === undefined || this.bytes > maxBytes) this.begin();
    if (this.file !== undefined) this.bytes += writeSync(this.file, `${line}\n`);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private begin(): void {
    this.close();
    try {
      renameSync(this.path, join(this.folder, 'lensforge.previous.log'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    this.file = openSync(this.path, 'w', 0o600);
    this.bytes = 0;
  }
}
