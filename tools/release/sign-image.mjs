import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256, signBlob } from './sign.mjs';

const configType = 'application/vnd.oci.image.config.v1+json';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** The text that `cosign sign` signs for an image. */
const toPayload = (name, digest) =>
  JSON.stringify({
    critical: {
      identity: { 'docker-reference': name },
      image: { 'docker-manifest-digest': digest },
      type: 'cosign container image signature',
    },
    optional: null,
  });

/** The tag at which `cosign verify` looks for the signature of a digest. */
export const toSignatureTag = (digest) => `${digest.replace(':', '-')}.sig`;

/** Writes the signature of an image to a folder (OCI layout), as `cosign sign` would push it. */
export const writeSignature = (folder, { name, digest, key }) => {
  mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
  const store = (text, mediaType) => {
    const sum = sha256(text);
    writeFileSync(join(folder, 'blobs', 'sha256', sum), text);
    return { mediaType, digest: `sha256:${sum}`, size: Buffer.byteLength(text) };
  };
  const payload = toPayload(name, digest);
  const layer = {
    ...store(payload, 'application/vnd.dev.cosign.simplesigning.v1+json'),
    annotations: { 'dev.cosignproject.cosign/signature': signBlob(Buffer.from(payload), key) },
  };
  const rootfs = { type: 'layers', diff_ids: [layer.digest] };
  const config = store(JSON.stringify({ architecture: '', os: '', config: {}, rootfs }), configType);
  const manifest = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] };
  const index = { schemaVersion: 2, manifests: [store(JSON.stringify(manifest), manifestType)] };
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
};
