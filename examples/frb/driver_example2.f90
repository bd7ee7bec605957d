! Driver 2 of [CZ08 section 3.4]: a free body, one step of quat_step, its attitude a quaternion.
! Reads init_example2.dat: h, the moments of inertia, the momentum, the attitude with the scalar part first.
! Writes out_example2.dat: momentum, attitude, time; momentum, attitude after the step. One number on each line.
program driver_example2
  implicit none
  external :: quat_step, frb_message
  double precision :: h, aInert(3), Piin(3), qin(4), Piout(3), qout(4)
  character(len=200) :: message

  open (10, file='init_example2.dat', status='old', action='read')
  read (10, *) h, aInert, Piin, qin
  close (10)

  call quat_step(Piout, qout, h, aInert, Piin, qin)
  call frb_message(message)
  if (message /= ' ') then
    print '(2a)', 'driver_example2: ', trim(message)
    stop 1
  end if

  open (20, file='out_example2.dat', status='replace', action='write')
  write (20, '(g26.17)') Piin, qin, 0d0
  write (20, '(g26.17)') Piout, qout
  close (20)
end program driver_example2
