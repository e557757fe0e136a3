import type { shapes } from '@lensforge/sdk';
import { UsageFault } from './faults.js';

/** A lens as a file: front matter between two lines `---`, and its text. */
export interface LensDocument {
  /** Absent for a lens that does not exist yet. */
  id?: string;
  title: string;
  description: string;
  tags: string[];
  visibility?: shapes.LensPatch['visibility'];
  /** null when the lens leaves everything to requests. */
  settings: shapes.LensSettings | null;
  templateBody: string;
}

export const visibilities = ['public', 'community', 'private'] as const;
const members = ['id', 'title', 'description', 'tags', 'visibility', 'settings'];
const fence = '---\n';

/** The file of a lens: the same lens always gives the same bytes. */
export async function writeLensFile({ templateBody, ...head }: LensDocument): Promise<string> {
  const { stringify } = await import('yaml');
  const { id, title, description, tags, visibility, settings } = head;
  const shown = {
    ...(id !== undefined && { id }),
    title,
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
    ...(visibility && { visibility }),
    ...(settings && { settings }),
  };
  return `${fence}${stringify(shown, { lineWidth: 0, aliasDuplicateObjects: false })}${fence}${templateBody}\n`;
}

/** Reads the file of a lens; the line break at its end belongs to the file and not to the text. */
export async function readLensFile(content: string, path: string): Promise<LensDocument> {
  // Git may have converted the line breaks of the whole file.
  const text = content.startsWith('---\r\n') ? content.replaceAll('\r\n', '\n') : content;
  const end = text.startsWith(fence) ? text.indexOf(`\n${fence}`, fence.length - 1) : -1;
  if (end < 0) throw fault(path, 'must begin with front matter between two lines ---');
  const { id, title, description, tags, visibility, settings } = await readHead(
    text.slice(fence.length, end + 1),
    path,
  );
  if (typeof title !== 'string' || title === '') throw fault(path, 'title must be a text');
  const body = text.slice(end + 1 + fence.length);
  return {
    ...(id !== undefined && { id: requireText(id, 'id', path) }),
    title,
    description: description === undefined ? '' : requireText(description, 'description', path),
    tags: readTags(tags, path),
    ...(visibility !== undefined && { visibility: readVisibility(visibility, path) }),
    settings: readSettings(settings, path),
    templateBody: body.endsWith('\n') ? body.slice(0, -1) : body,
  };
}

/** The content of a file with the id of its new lens; everything else stays as it is. */
export const insertId = (content: string, id: string): string =>
  content.replace(/^---(\r?\n)/, (_, lineBreak: string) => `---${lineBreak}id: ${id}${lineBreak}`);

async function readHead(text: string, path: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml');
  let head: unknown;
  try {
    head = parse(text);
  } catch (error) {
    throw fault(path, `its front matter is not valid YAML: ${(error as Error).message.split('\n', 1)[0] ?? ''}`);
  }
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    throw fault(path, 'its front matter must have members such as title');
  const unknown = Object.keys(head).find((name) => !members.includes(name));
  if (unknown !== undefined) throw fault(path, `${unknown} is not known; known are ${members.join(', ')}`);
  return head as Record<string, unknown>;
}

function requireText(value: unknown, name: string, path: string): string {
  if (typeof value === 'string') return value;
  throw fault(path, `${name} must be a text`);
}

function readTags(value: unknown, path: string): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) return value;
  throw fault(path, 'tags must be a list of texts');
}

/** The platform checks the members. */
function readSettings(value: unknown, path: string): LensDocument['settings'] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw fault(path, 'settings must have members such as models');
}

function readVisibility(value: unknown, path: string): NonNullable<LensDocument['visibility']> {
  const found = visibilities.find((each) => each === value);
  if (found) return found;
  throw fault(path, `visibility must be one of ${visibilities.join(', ')}`);
}

const fault = (path: string, message: string): UsageFault =>
  new UsageFault(`${path}: ${message}`, 'Write one with: lensforge lens pull <id> <file>');
