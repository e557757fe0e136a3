import { createHash, createPrivateKey, sign } from 'node:crypto';

export const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** The lines of a SHA256SUMS file, as `sha256sum --check` reads them. */
export const toSums = (digests) => digests.map(([path, digest]) => `${digest}  ${path}\n`).join('');

/** A private key in PEM on the curve P-256, which is what `cosign verify-blob` takes. */
export const readKey = (pem) => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('The key is not one on the curve P-256');
  return key;
};

/** The signature of a file in the form of `cosign sign-blob`. */
export const signBlob = (data, key) => sign('sha256', data, key).toString('base64');

const payloadType = 'application/vnd.in-toto+json';

/** The statement in an envelope (DSSE); without a key it has no signature. */
export const toEnvelope = (statement, key) => {
  const payload = Buffer.from(JSON.stringify(statement));
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
  const signatures = key ? [{ keyid: '', sig: signBlob(signed, key) }] : [];
  return { payloadType, payload: payload.toString('base64'), signatures };
};

/** A statement of in-toto with the predicate of SLSA: the files, and the commit and command that made them. */
export const toProvenance = ({ digests, repository, commit, version, builder, started }) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: digests.map(([name, digest]) => ({ name, digest: { sha256: digest } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:lensforge:npm-run-release:1',
      externalParameters: { version },
      resolvedDependencies: [{ uri: repository, digest: { gitCommit: commit } }],
    },
    runDetails: { builder: { id: builder }, metadata: { startedOn: started } },
  },
});
