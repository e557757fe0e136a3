import type { Tool, ToolResult } from '@lensforge/tools';

/** The tools that the official conformance suite calls; they are not part of the catalogue. */

const text = (said: string) => ({ type: 'text', text: said });
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const image = { type: 'image', data: png, mimeType: 'image/png' };
const silence = Buffer.from(
  '524946462400000057415645666d74201000000001000100401f0000803e0000020010006461746100000000',
  'hex',
);
const resource = (uri: string, mimeType: string, content: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});

const fixture = (name: string, answer: ToolResult, schema: object = { type: 'object' }): Tool => ({
  name,
  class: 'Read',
  rate: 'read',
  scope: 'lenses:read',
  errors: [],
  listed: { name, description: `A fixture: ${name}`, inputSchema: schema },
  call: () => Promise.resolve(answer),
});

export const fixtureTools: readonly Tool[] = [
  fixture('test_simple_text', { content: [text('This is a simple text response for testing.')] }),
  fixture('test_image_content', { content: [image] }),
  fixture('test_audio_content', {
    content: [{ type: 'audio', data: silence.toString('base64'), mimeType: 'audio/wav' }],
  }),
  fixture('test_embedded_resource', {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  fixture('test_multiple_content_types', {
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  fixture('test_error_handling', {
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  fixture(
    'json_schema_2020_12_tool',
    { content: [text('{}')] },
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  ),
];
