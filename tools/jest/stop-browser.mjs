export default async function stopBrowser() {
  await globalThis.lensforgeTestBrowser?.close();
  globalThis.lensforgeTestBrowser = undefined;
}
