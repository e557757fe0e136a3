import { dateTime, flag, integer, text, uuid } from '../schema/field.js';

/** The calls that runs of an experiment made to the outside, with their answers. */
export class Recording {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @integer({ min: 0, description: 'The number of recorded calls.' })
  calls!: number;

  @dateTime()
  createdAt!: string;
}

export class RecordingPath {
  @uuid({ description: 'The recording.' })
  recordingId!: string;
}

export class RecordingImport {
  @text({ min: 1, max: 200 })
  name!: string;

  @text({ max: 20_000_000, description: 'The file, as exportRecording gives it.' })
  content!: string;
}

export class RecordingRemoved {
  @uuid()
  recordingId!: string;

  @flag()
  removed!: boolean;
}
