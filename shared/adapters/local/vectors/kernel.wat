;; Dot products of one query (int16) with many rows (int8 and a scale), 16 numbers a step.
;; kernel.ts holds the compiled module; kernel.test.ts proves that it is this text's.
(module
  (import "pool" "memory" (memory 1 65536))

  ;; out[i] = unit * scale * (query . row at addresses[i]), for i in 0..count. The query is `bytes` long, a multiple of 32.
  ;; A row begins with 16 bytes that hold its scale (float32) first; its numbers follow. No sum may exceed 31 bits.
  (func (export "dotProducts")
    (param $query i32) (param $bytes i32) (param $unit f32) (param $addresses i32) (param $count i32) (param $out i32)
    (local $row i32) (local $at i32) (local $end i32) (local $numbers v128)
    (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $row (i32.load (local.get $addresses)))
        (local.set $at (local.get $query))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (loop $steps
          (local.set $numbers (v128.load offset=16 (local.get $row)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $at)) (i16x8.extend_low_i8x16_s (local.get $numbers)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (i16x8.extend_high_i8x16_s (local.get $numbers)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $steps (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (f32.store (local.get $out) (f32.mul
          (f32.mul (local.get $unit) (f32.load (i32.load (local.get $addresses))))
          (f32.convert_i32_s (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))))
        (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows)))))
