// The health check of containers: exit code 0 when the service is ready.
const { LENSFORGE_MANAGEMENT_PORT, PORT } = process.env;
const ready = await fetch(`http://127.0.0.1:${LENSFORGE_MANAGEMENT_PORT ?? PORT}/ready`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(ready ? 0 : 1);
