// The thread that lays out diagrams: nothing but the layout engine, which listens to messages as soon as it is loaded.
import 'elkjs/lib/elk-worker.min.js';
