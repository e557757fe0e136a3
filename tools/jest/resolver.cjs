// Sources import './x.js', the built name; in tests the file on disk is './x.ts'.
module.exports = (request, options) => {
  const ours = request.startsWith('.') && request.endsWith('.js') && !options.basedir.includes('node_modules');
  if (ours) {
    try {
      return options.defaultResolver(request.replace(/\.js$/, '.ts'), options);
    } catch {
      /* a real .js file: fall through */
    }
  }
  return options.defaultResolver(request, options);
};
