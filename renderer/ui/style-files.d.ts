// Lets TypeScript accept `import './x.css'`: the bundler collects the files.
declare module '*.css';
